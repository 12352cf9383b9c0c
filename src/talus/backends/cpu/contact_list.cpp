#include "talus/backends/cpu/contact_list.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

#include "talus/backends/cpu/near_reach.h"
#include "talus/backends/cpu/pair_kernel.h"
#include "talus/base/parallel.h"

namespace talus::backends::cpu {

namespace {

constexpr std::uint32_t none = 0;  // contact 0 is never listed
constexpr std::uint16_t no_group = 0xffff;
constexpr double steps_ahead = 32;  // pairs that will touch within these are put with those that do

/// Partner and image in one number that puts a body's contacts in order, as long as there are not too many bodies.
constexpr std::size_t most_short_keys = std::size_t{1} << 26U;
std::uint32_t short_key(std::uint32_t partner, std::uint8_t code) {
    return partner * 32 + code;
}

/// Puts the first `used` references in the order of their keys, which all differ, and fills up with zeros: each goes
/// where the number of smaller keys tells, which takes no branch.
void order_by(const References& keys, References& refs, std::size_t used) {
    std::array<std::int32_t, refs_per_body> key;
    for (std::size_t a = 0; a < refs_per_body; ++a) {
        constexpr std::size_t last = 0x7fffffff - refs_per_body;
        key[a] = static_cast<std::int32_t>(a < used ? keys[a] : last + a);
    }
    std::array<std::int32_t, refs_per_body> rank{};
    for (std::size_t b = 0; b < refs_per_body; ++b) {
        for (std::size_t a = 0; a < refs_per_body; ++a) {
            rank[a] += key[b] < key[a] ? 1 : 0;
        }
    }
    const References from = refs;
    for (std::size_t a = 0; a < refs_per_body; ++a) {
        refs[static_cast<std::size_t>(rank[a])] = a < used ? from[a] : 0;
    }
}

/// A contact's history in the list before, or null.
struct OldHistory {
    const double* first = nullptr;
    std::size_t stride = 0;
};

OldHistory find_in_model(const model::PairList& pairs, std::uint32_t a, std::uint32_t b, std::uint8_t code) {
    if (pairs.row.size() < 2) {
        return {};
    }
    for (std::uint32_t p = pairs.row[a]; p < pairs.row[a + 1]; ++p) {
        if (pairs.partner[p] == b && search::image_code(pairs.image[p]) == code) {
            return {&pairs.history[p * pairs.history_size], 1};
        }
    }
    return {};
}

}  // namespace

std::uint32_t ContactLists::find_listed(const Workspace& work, std::uint32_t i, std::uint32_t j,
                                        std::uint8_t code) const {
    const std::size_t places = old_.refs.size();
    if (i >= work.places() || j >= work.places()) {
        return none;
    }
    const std::uint32_t old_i = old_place_.empty() ? i : old_place_[i];
    const std::uint32_t old_j = old_place_.empty() ? j : old_place_[j];
    if (old_i >= places || old_.blocks <= 1) {
        return none;
    }
    std::uint32_t found = none;
    for_contacts(old_, old_i, [&](std::uint32_t contact, std::uint32_t side) {
        if (side == 0 && old_.ends[contact / 8].j[contact % 8] == old_j &&
            old_.image[contact / 8][contact % 8] == code) {
            found = contact;
        }
    });
    return found;
}

void ContactLists::choose_classes(const model::System& system, const Workspace& work) {
    materials_ = system.materials.size();
    // What all spheres of a material share: radius, inverse mass, inverse inertia.
    struct Uniform {
        bool alike = true;
        const Record* one = nullptr;
    };
    std::vector<Uniform> uniform(materials_);
    material_.assign(work.places() + 2, 0);
    for (std::size_t s = 0; s < work.places(); ++s) {
        if (work.body_at[s] == Workspace::nobody) {
            continue;
        }
        material_[s] = static_cast<std::int16_t>(system.bodies.material[work.body_at[s]]);
        Uniform& u = uniform[static_cast<std::size_t>(material_[s])];
        const Record& r = work.record[s];
        if (u.one == nullptr) {
            u.one = &r;
        }
        u.alike &= r.radius == u.one->radius && r.inverse_mass == u.one->inverse_mass &&
                   r.inverse_inertia == u.one->inverse_inertia;
    }
    class_of_.assign(materials_ * materials_, -1);
    classes_.clear();
    for (std::size_t a = 0; a < materials_; ++a) {
        for (std::size_t b = a; b < materials_; ++b) {
            if (system.materials.between(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)).law < 0) {
                continue;
            }
            ContactClass c{static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), false, {}};
            const Record* ra = uniform[a].one;
            const Record* rb = uniform[b].one;
            if (ra != nullptr && rb != nullptr && uniform[a].alike && uniform[b].alike && ra->radius == rb->radius &&
                ra->inverse_mass + rb->inverse_mass > 0) {
                c.alike = true;
                c.pairs = {ra->radius + rb->radius, ra->inverse_mass + rb->inverse_mass,
                           ra->inverse_inertia + rb->inverse_inertia};
            }
            class_of_[a * materials_ + b] = class_of_[b * materials_ + a] = static_cast<std::int16_t>(classes_.size());
            classes_.push_back(c);
        }
    }
}

void ContactLists::mark(const model::System& system, Workspace& work, Source source, int threads) {
    const std::size_t n = work.places();
    const std::size_t tiles = (n + tile_places - 1) / tile_places;
    kept_.resize(tiles);
    next_.resize(tiles);
    const bool resorted = !old_place_.empty() || contact_of_.size() != work.near.size();
    contact_of_.resize(work.near.size());
    std::array<std::array<double, 4>, 27> shift{};
    for (std::uint8_t code = 0; code < 27; ++code) {
        const Vec3d s = search::image_shift(system.domain, code);
        shift[code] = {s.x, s.y, s.z, 0};
    }
    const ReachTask task{work.record.data(),
                         work.margin.data(),
                         work.drift_steps > 0 ? work.flow.data() : nullptr,
                         work.drift_steps * (1 + 1e-6),
                         work.near.row.data(),
                         work.near.partner.data(),
                         work.near.image.data(),
                         system.domain.any_periodic() ? work.wraps.data() : nullptr,
                         shift[0].data(),
                         static_cast<std::uint32_t>(n)};
    const ReachKernel in_reach = simd_level() == Simd::eight ? wide_reach_kernel() : &pairs_in_reach;
    const double horizon = steps_ahead * system.clock.step;
    // A contact is put with those that do as it did.
    const auto kind_of = [&](std::uint32_t contact) {
        if (contact == none || !(age_of(old_, contact) > 0)) {
            return ContactKind::apart;
        }
        const bool slid = ((old_.slides[contact / 8] >> (contact % 8)) & 1) != 0;
        return slid ? ContactKind::sliding : ContactKind::sticking;
    };
    const auto across = [](ContactKind kind) {
        switch (kind) {
            case ContactKind::sliding:
                return ContactKind::sliding_across;
            case ContactKind::sticking:
                return ContactKind::sticking_across;
            default:
                return ContactKind::apart_across;
        }
    };
    const auto find_before = [&](std::uint32_t s, std::uint32_t t, std::uint8_t code) {
        return work.body_at[s] < work.body_at[t] ? find_listed(work, s, t, code)
                                                 : find_listed(work, t, s, static_cast<std::uint8_t>(26 - code));
    };
    const auto group_of = [&](const Kept& pair) {
        const std::uint32_t t = work.near.partner[pair.near];
        const auto ma = static_cast<std::size_t>(material_[pair.place]);
        const std::int16_t of_class = class_of_[ma * materials_ + static_cast<std::size_t>(material_[t])];
        if (of_class < 0) {
            return no_group;
        }
        ContactKind kind = source == Source::listed ? kind_of(pair.before) : ContactKind::sticking;
        if (kind == ContactKind::apart) {  // will it touch before the next prune or so?
            const Record& a = work.record[pair.place];
            const Record& b = work.record[t];
            const auto& period = shift[pair.code];
            const Vec3d d = b.position - a.position + Vec3d{period[0], period[1], period[2]};
            const double distance = norm(d);
            const double gap = distance - a.radius - b.radius;
            if (gap * distance < -horizon * dot(d, b.velocity - a.velocity)) {
                kind = ContactKind::sticking;
            }
        }
        if (pair.code != search::no_image) {
            kind = across(kind);
        }
        return static_cast<std::uint16_t>(static_cast<std::size_t>(of_class) * contact_kinds +
                                          static_cast<std::size_t>(kind));
    };
    const auto mark_tile = [&](std::size_t tile, std::vector<InReach>& found) {
        const auto first = static_cast<std::uint32_t>(tile * tile_places);
        const auto last = static_cast<std::uint32_t>(std::min(n, (tile + 1) * tile_places));
        const std::uint32_t begin = work.near.row[first];
        const std::uint32_t end = work.near.row[last];
        found.resize(end - begin + 8);
        const std::size_t count = in_reach(task, first, last, found.data());
        auto& kept = kept_[tile];
        auto& counts = next_[tile];
        counts.assign(classes_.size() * contact_kinds, 0);
        kept.resize(count);
        std::size_t used = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const auto [s, p, code] = found[k];
            Kept pair{s, p, contact_of_[p], 0, code};
            if (resorted && source == Source::listed) {
                pair.before = find_before(s, work.near.partner[p], code);
            }
            pair.group = group_of(pair);
            if (pair.group != no_group) {
                ++counts[pair.group];
                kept[used++] = pair;
            }
        }
        kept.resize(used);
        std::fill(contact_of_.begin() + begin, contact_of_.begin() + end, none);
    };
#pragma omp parallel num_threads(threads) if (threads > 1 && tiles > 1)
    {
        std::vector<InReach> found;
#pragma omp for schedule(static)
        for (std::size_t tile = 0; tile < tiles; ++tile) {
            mark_tile(tile, found);
        }
    }
}

void ContactLists::lay_out(Workspace& work) {
    Contacts& contacts = work.contacts;
    contacts.runs.clear();
    contacts.run_row.assign(1, 0);
    std::vector<std::size_t> ends_at;  // of each run, in contacts
    std::size_t block = 1;             // block 0 stays empty
    for (auto& tile : next_) {
        for (std::size_t of_class = 0; of_class < classes_.size(); ++of_class) {
            std::size_t next = block * 8;
            std::size_t apart = next;
            for (std::size_t kind = 0; kind < contact_kinds; ++kind) {
                const std::size_t count = std::exchange(tile[of_class * contact_kinds + kind], next);
                next += count;
                apart = kind < static_cast<std::size_t>(ContactKind::apart) ? next : apart;
            }
            if (next > block * 8) {
                const std::size_t end = (next + 7) / 8;
                contacts.runs.push_back({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(end),
                                         static_cast<std::uint32_t>((apart + 7) / 8),
                                         static_cast<std::uint32_t>(of_class)});
                ends_at.push_back(next);
                block = end;
            }
        }
        contacts.run_row.push_back(static_cast<std::uint32_t>(contacts.runs.size()));
    }
    contacts.blocks = block;
    contacts.classes = classes_;
    const std::size_t h = contacts.history_size;
    contacts.ends.resize(block);
    contacts.image.resize(block);
    contacts.crosses.assign(block, 0);
    contacts.slides.resize(block);
    std::fill(contacts.slides.begin(), contacts.slides.end(), std::uint8_t{0});
    contacts.history.resize(block * 8 * h);
    // Lanes that fill up the last block of a run: the two spheres beyond the last, which never touch.
    const auto nowhere = static_cast<std::uint32_t>(work.places());
    for (std::size_t r = 0; r < contacts.runs.size(); ++r) {
        const std::size_t last = contacts.runs[r].end - 1;
        contacts.image[last].fill(search::no_image);
        std::fill_n(contacts.history.begin() + static_cast<std::ptrdiff_t>(last * 8 * h), 8 * h, 0.0);
        for (std::size_t contact = ends_at[r]; contact < (last + 1) * 8; ++contact) {
            contacts.ends[last].i[contact % 8] = nowhere;
            contacts.ends[last].j[contact % 8] = nowhere + 1;
        }
    }
}

void ContactLists::fill(const model::System& system, Workspace& work, Source source, int threads) {
    Contacts& contacts = work.contacts;
    const std::size_t n = work.places();
    const std::size_t tiles = next_.size();
    const std::size_t h = contacts.history_size;
    contacts.refs.resize(n);
    work.slots.refs.resize(n);  // until slots are dealt out: keys by which references are put in order
    work.slots.used.assign(n, 0);
    overflow_.resize(tiles);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && tiles > 1)
    for (std::size_t c = 0; c < tiles; ++c) {
        overflow_[c].clear();
        const auto refer = [&](std::uint32_t place, std::size_t contact, std::uint32_t side, std::uint32_t key) {
            // Several threads may add to one body; the order is put right afterwards.
            std::atomic_ref<std::uint8_t> used(work.slots.used[place]);
            const auto ref = static_cast<std::uint32_t>(contact * 2 + side);
            std::uint8_t at = used.load(std::memory_order_relaxed);
            if (threads > 1) {
                while (at < refs_per_body && !used.compare_exchange_weak(at, static_cast<std::uint8_t>(at + 1))) {
                }
            } else if (at < refs_per_body) {
                used.store(static_cast<std::uint8_t>(at + 1), std::memory_order_relaxed);
            }
            if (at < refs_per_body) {
                contacts.refs[place][at] = ref;
                work.slots.refs[place][at] = key;
            } else {
                overflow_[c].push_back({place, ref});
            }
        };
        for (const Kept& pair : kept_[c]) {
            const std::uint32_t s = pair.place;
            const std::uint32_t t = work.near.partner[pair.near];
            const bool in_order = work.body_at[s] < work.body_at[t];
            const std::uint32_t i = in_order ? s : t;
            const std::uint32_t j = in_order ? t : s;
            const auto code = static_cast<std::uint8_t>(in_order ? pair.code : 26 - pair.code);
            const std::size_t contact = next_[c][pair.group]++;
            contact_of_[pair.near] = static_cast<std::uint32_t>(contact);
            const std::size_t b = contact / 8;
            const std::size_t lane = contact % 8;
            contacts.ends[b].i[lane] = i;
            contacts.ends[b].j[lane] = j;
            contacts.image[b][lane] = code;
            if (code != search::no_image) {
                contacts.crosses[b] = 1;
            }
            OldHistory old;
            if (source == Source::model) {
                old = find_in_model(system.pairs, work.body_at[i], work.body_at[j], code);
            } else if (pair.before != none) {
                old = {&old_.history[pair.before / 8 * old_.history_size * 8 + pair.before % 8], 8};
            }
            for (std::size_t k = 0; k < h; ++k) {
                contacts.history[(b * h + k) * 8 + lane] = old.first != nullptr ? old.first[k * old.stride] : 0.0;
            }
            refer(i, contact, 0, short_key(work.body_at[j], code));
            refer(j, contact, 1, short_key(work.body_at[i], code));
        }
    }
}

void ContactLists::order_refs(Workspace& work, int threads) {
    Contacts& contacts = work.contacts;
    const std::size_t n = work.places();
    const auto key = [&](std::uint32_t ref) {
        const std::size_t contact = ref >> 1U;
        const Ends& ends = contacts.ends[contact / 8];
        const std::uint32_t partner = (ref & 1U) == 0 ? ends.j[contact % 8] : ends.i[contact % 8];
        return std::uint64_t{work.body_at[partner]} * 32 + contacts.image[contact / 8][contact % 8];
    };
    const auto before = [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); };
    const bool has_short_keys = work.place_of.size() < most_short_keys;
    // Bodies with more contacts than fit: all of theirs are sorted together.
    std::vector<Overflow> extra;
    for (const auto& chunk : overflow_) {
        extra.insert(extra.end(), chunk.begin(), chunk.end());
    }
    contacts.more_row.clear();
    contacts.more.clear();
    std::vector<std::uint8_t> sorted;
    if (!extra.empty()) {
        std::sort(extra.begin(), extra.end(), [](const Overflow& a, const Overflow& b) { return a.place < b.place; });
        sorted.assign(n, 0);
        contacts.more_row.assign(n + 1, 0);
        std::vector<std::uint32_t> all;
        for (std::size_t first = 0; first < extra.size();) {
            const std::uint32_t place = extra[first].place;
            all.assign(contacts.refs[place].begin(), contacts.refs[place].end());
            for (; first < extra.size() && extra[first].place == place; ++first) {
                all.push_back(extra[first].ref);
            }
            std::sort(all.begin(), all.end(), before);
            std::copy_n(all.begin(), refs_per_body, contacts.refs[place].begin());
            contacts.more.insert(contacts.more.end(), all.begin() + refs_per_body, all.end());
            contacts.more_row[place + 1] = static_cast<std::uint32_t>(all.size() - refs_per_body);
            sorted[place] = 1;
        }
        std::partial_sum(contacts.more_row.begin(), contacts.more_row.end(), contacts.more_row.begin());
    }
    base::parallel_for(n, threads, [&](std::size_t s) {
        if (!sorted.empty() && sorted[s] != 0) {
            return;
        }
        auto& refs = contacts.refs[s];
        const std::size_t used = work.slots.used[s];
        if (has_short_keys) {
            order_by(work.slots.refs[s], refs, used);
            return;
        }
        std::sort(refs.begin(), refs.begin() + static_cast<std::ptrdiff_t>(used), before);
        std::fill(refs.begin() + static_cast<std::ptrdiff_t>(used), refs.end(), 0);
    });
}

void ContactLists::prune(const model::System& system, Workspace& work, Source source, int threads,
                         const std::vector<std::uint32_t>& old_place) {
    std::swap(old_, work.contacts);
    old_place_ = old_place;
    work.contacts.history_size = system.pairs.history_size;
    choose_classes(system, work);
    mark(system, work, source, threads);
    lay_out(work);
    fill(system, work, source, threads);
    order_refs(work, threads);
    assign_slots(work, threads);
    work.steps_drifted = 0;
}

void export_pairs(model::System& system, const Workspace& work) {
    const Contacts& contacts = work.contacts;
    model::PairList& pairs = system.pairs;
    const std::size_t n = system.bodies.size();  // fewer than places where bodies have left
    const std::size_t h = contacts.history_size;
    pairs.history_size = h;
    pairs.row.assign(n + 1, 0);
    const auto for_touching = [&](const auto& visit) {
        for (std::size_t contact = 8; contact < contacts.blocks * 8; ++contact) {
            if (age_of(contacts, contact) > 0) {
                visit(contact, work.body_at[contacts.ends[contact / 8].i[contact % 8]]);
            }
        }
    };
    for_touching([&](std::size_t, std::uint32_t body) { ++pairs.row[body + 1]; });
    std::partial_sum(pairs.row.begin(), pairs.row.end(), pairs.row.begin());
    std::vector<std::uint32_t> source(pairs.row[n]);
    std::vector<std::uint32_t> next(pairs.row.begin(), pairs.row.end() - 1);
    for_touching(
        [&](std::size_t contact, std::uint32_t body) { source[next[body]++] = static_cast<std::uint32_t>(contact); });
    const auto key = [&](std::uint32_t contact) {
        return std::uint64_t{work.body_at[contacts.ends[contact / 8].j[contact % 8]]} * 32 +
               contacts.image[contact / 8][contact % 8];
    };
    pairs.partner.resize(source.size());
    pairs.image.resize(source.size());
    pairs.history.resize(source.size() * h);
    for (std::size_t i = 0; i < n; ++i) {
        const auto row = [&](std::uint32_t at) { return source.begin() + static_cast<std::ptrdiff_t>(at); };
        std::sort(row(pairs.row[i]), row(pairs.row[i + 1]),
                  [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
        for (std::uint32_t p = pairs.row[i]; p < pairs.row[i + 1]; ++p) {
            const std::size_t b = source[p] / 8;
            const std::size_t lane = source[p] % 8;
            pairs.partner[p] = work.body_at[contacts.ends[b].j[lane]];
            pairs.image[p] = search::image_of(contacts.image[b][lane]);
            for (std::size_t k = 0; k < h; ++k) {
                pairs.history[p * h + k] = contacts.history[(b * h + k) * 8 + lane];
            }
        }
    }
}

void shift_images(Workspace& work, std::uint32_t place, const model::Image& periods) {
    Contacts& contacts = work.contacts;
    model::Image& wraps = work.wraps[place];
    const auto add = [](model::Image& image, const model::Image& by, int sign) {
        image.x = static_cast<signed char>(image.x + sign * by.x);
        image.y = static_cast<signed char>(image.y + sign * by.y);
        image.z = static_cast<signed char>(image.z + sign * by.z);
    };
    add(wraps, periods, 1);
    for_contacts(contacts, place, [&](std::uint32_t contact, std::uint32_t side) {
        auto& codes = contacts.image[contact / 8];
        model::Image image = search::image_of(codes[contact % 8]);
        add(image, periods, side == 0 ? 1 : -1);
        codes[contact % 8] = search::image_code(image);
        contacts.crosses[contact / 8] = 1;
    });
}

}  // namespace talus::backends::cpu
