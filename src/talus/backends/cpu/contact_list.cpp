#include "talus/backends/cpu/contact_list.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "talus/base/parallel.h"

namespace talus::backends::cpu {

namespace {

constexpr std::size_t chunk_size = 1024;  // places
constexpr std::uint8_t not_near = 255;

/// The image of a near pair now, after its bodies have been moved by whole periods.
std::uint8_t image_now(const Workspace& work, std::size_t s, std::size_t t, std::uint8_t listed) {
    const model::Image image = search::image_of(listed);
    const model::Image& a = work.wraps[s];
    const model::Image& b = work.wraps[t];
    const int x = image.x + a.x - b.x;
    const int y = image.y + a.y - b.y;
    const int z = image.z + a.z - b.z;
    if (std::abs(x) > 1 || std::abs(y) > 1 || std::abs(z) > 1) {
        return not_near;
    }
    return static_cast<std::uint8_t>(9 * (x + 1) + 3 * (y + 1) + (z + 1));
}

/// A contact's history in the list before, or null.
struct OldHistory {
    const double* first = nullptr;
    std::size_t stride = 0;
};

OldHistory find_listed(const Contacts& old, std::uint32_t i, std::uint32_t j, std::uint8_t code) {
    OldHistory found;
    for_contacts(old, i, [&](std::uint32_t contact, std::uint32_t side) {
        const Ends& ends = old.ends[contact / 8];
        if (side == 0 && ends.j[contact % 8] == j && old.image[contact / 8][contact % 8] == code) {
            found = {&old.history[contact / 8 * old.history_size * 8 + contact % 8], 8};
        }
    });
    return found;
}

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

void ContactLists::choose_classes(const model::System& system) {
    materials_ = system.materials.size();
    class_of_.assign(materials_ * materials_, -1);
    classes_.clear();
    for (std::size_t a = 0; a < materials_; ++a) {
        for (std::size_t b = a; b < materials_; ++b) {
            if (system.materials.between(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)).law >= 0) {
                class_of_[a * materials_ + b] = class_of_[b * materials_ + a] =
                    static_cast<std::int16_t>(classes_.size());
                classes_.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), 0, 0});
            }
        }
    }
}

void ContactLists::mark(const model::System& system, Workspace& work, int threads) {
    const std::size_t n = work.places();
    const std::size_t chunks = (n + chunk_size - 1) / chunk_size;
    kept_.resize(work.near.size());
    code_.resize(work.near.size());
    next_.resize(chunks);
    const bool periodic = system.domain.any_periodic();
    std::array<Vec3d, 27> shift;
    for (std::uint8_t code = 0; code < 27; ++code) {
        shift[code] = search::image_shift(system.domain, code);
    }
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && chunks > 1)
    for (std::size_t c = 0; c < chunks; ++c) {
        next_[c].assign(classes_.size(), 0);
        for (std::size_t s = c * chunk_size; s < std::min(n, (c + 1) * chunk_size); ++s) {
            const Record& a = work.record[s];
            for (std::uint32_t p = work.near.row[s]; p < work.near.row[s + 1]; ++p) {
                const std::uint32_t t = work.near.partner[p];
                const Record& b = work.record[t];
                const std::uint8_t code = periodic ? image_now(work, s, t, work.near.image[p]) : search::no_image;
                kept_[p] = -1;
                if (code == not_near) {
                    continue;
                }
                const double reach =
                    a.radius + b.radius + static_cast<double>(work.margin[s]) + static_cast<double>(work.margin[t]);
                if (norm2(b.position - a.position + shift[code]) < reach * reach) {
                    const auto ma = static_cast<std::size_t>(system.bodies.material[work.body_at[s]]);
                    const auto mb = static_cast<std::size_t>(system.bodies.material[work.body_at[t]]);
                    kept_[p] = class_of_[ma * materials_ + mb];
                    code_[p] = code;
                    if (kept_[p] >= 0) {
                        ++next_[c][static_cast<std::size_t>(kept_[p])];
                    }
                }
            }
        }
    }
}

void ContactLists::lay_out(Workspace& work) {
    Contacts& contacts = work.contacts;
    std::size_t block = 1;  // block 0 stays empty
    for (std::size_t k = 0; k < classes_.size(); ++k) {
        std::size_t at = block * 8;
        classes_[k].begin = block;
        for (auto& chunk : next_) {
            const std::size_t count = chunk[k];
            chunk[k] = at;
            at += count;
        }
        block = (at + 7) / 8;
        classes_[k].end = block;
        // Lanes that fill up the last block: the two spheres beyond the last, which never touch.
        contacts.ends.resize(std::max(contacts.ends.size(), block));
        for (std::size_t fill = at; fill < block * 8; ++fill) {
            contacts.ends[fill / 8].i[fill % 8] = static_cast<std::uint32_t>(work.places());
            contacts.ends[fill / 8].j[fill % 8] = static_cast<std::uint32_t>(work.places() + 1);
        }
    }
    contacts.blocks = block;
    contacts.classes = classes_;
    const std::size_t h = contacts.history_size;
    contacts.ends.resize(block);
    contacts.image.resize(block);
    contacts.crosses.assign(block, 0);
    contacts.history.resize(block * 8 * h);
    contacts.slot.resize(block * 8);
    if (work.spin_friction) {
        contacts.moment.resize(block * 8);
        std::fill_n(contacts.moment.begin(), 8, std::array<double, 4>{});
    }
    std::fill_n(contacts.slot.begin(), 8, Slot{});
    for (const ContactClass& k : classes_) {
        if (k.end > k.begin) {
            contacts.image[k.end - 1].fill(search::no_image);
            std::fill_n(contacts.history.begin() + static_cast<std::ptrdiff_t>((k.end - 1) * 8 * h), 8 * h, 0.0);
        }
    }
}

void ContactLists::fill(const model::System& system, Workspace& work, bool from_model, int threads) {
    Contacts& contacts = work.contacts;
    const std::size_t n = work.places();
    const std::size_t chunks = next_.size();
    const std::size_t h = contacts.history_size;
    contacts.refs.resize(n);
    refs_used_.assign(n, 0);
    overflow_.resize(chunks);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && chunks > 1)
    for (std::size_t c = 0; c < chunks; ++c) {
        overflow_[c].clear();
        const auto refer = [&](std::uint32_t place, std::size_t contact, std::uint32_t side) {
            // Several threads may add to one body; the order is put right afterwards.
            std::atomic_ref<std::uint8_t> used(refs_used_[place]);
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
            } else {
                overflow_[c].push_back({place, ref});
            }
        };
        for (std::size_t s = c * chunk_size; s < std::min(n, (c + 1) * chunk_size); ++s) {
            for (std::uint32_t p = work.near.row[s]; p < work.near.row[s + 1]; ++p) {
                if (kept_[p] < 0) {
                    continue;
                }
                const std::uint32_t t = work.near.partner[p];
                const bool in_order = work.body_at[s] < work.body_at[t];
                const auto i = in_order ? static_cast<std::uint32_t>(s) : t;
                const auto j = in_order ? t : static_cast<std::uint32_t>(s);
                const auto code = static_cast<std::uint8_t>(in_order ? code_[p] : 26 - code_[p]);
                const std::size_t contact = next_[c][static_cast<std::size_t>(kept_[p])]++;
                const std::size_t b = contact / 8;
                const std::size_t lane = contact % 8;
                contacts.ends[b].i[lane] = i;
                contacts.ends[b].j[lane] = j;
                contacts.image[b][lane] = code;
                if (code != search::no_image) {
                    std::atomic_ref<std::uint8_t>(contacts.crosses[b]).store(1, std::memory_order_relaxed);
                }
                const OldHistory old = from_model ? find_in_model(system.pairs, work.body_at[i], work.body_at[j], code)
                                                  : find_listed(old_, i, j, code);
                for (std::size_t k = 0; k < h; ++k) {
                    contacts.history[(b * h + k) * 8 + lane] = old.first != nullptr ? old.first[k * old.stride] : 0.0;
                }
                refer(i, contact, 0);
                refer(j, contact, 1);
            }
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
        const std::size_t used = refs_used_[s];
        std::array<std::uint64_t, refs_per_body> keys;
        for (std::size_t a = 0; a < used; ++a) {  // insertion: a handful of entries
            const std::uint32_t ref = refs[a];
            const std::uint64_t mine = key(ref);
            std::size_t at = a;
            for (; at > 0 && keys[at - 1] > mine; --at) {
                keys[at] = keys[at - 1];
                refs[at] = refs[at - 1];
            }
            keys[at] = mine;
            refs[at] = ref;
        }
        std::fill(refs.begin() + static_cast<std::ptrdiff_t>(used), refs.end(), 0);
    });
}

void ContactLists::assign_tiles(Workspace& work, int threads) {
    Contacts& contacts = work.contacts;
    const std::size_t n = work.places();
    const std::size_t tiles = std::max<std::size_t>(1, contacts.tiles());
    contacts.first_tile.resize(n);
    last_tile_.resize(n);
    base::parallel_for(n, threads, [&](std::size_t s) {
        // A body without contacts goes where its neighbours in memory are likely to be.
        std::size_t first = s * tiles / n;
        std::size_t last = first;
        bool any = false;
        for_contacts(contacts, s, [&](std::uint32_t contact, std::uint32_t) {
            const std::size_t tile = (contact / 8 - 1) / tile_blocks;
            first = any ? std::min(first, tile) : tile;
            last = any ? std::max(last, tile) : tile;
            any = true;
        });
        contacts.first_tile[s] = static_cast<std::uint32_t>(first);
        last_tile_[s] = static_cast<std::uint32_t>(last);
    });
    contacts.tile_row.assign(tiles + 1, 0);
    for (const std::uint32_t tile : last_tile_) {
        ++contacts.tile_row[tile + 1];
    }
    std::partial_sum(contacts.tile_row.begin(), contacts.tile_row.end(), contacts.tile_row.begin());
    std::vector<std::uint32_t> next(contacts.tile_row.begin(), contacts.tile_row.end() - 1);
    contacts.tile_place.resize(n);
    for (std::size_t s = 0; s < n; ++s) {
        contacts.tile_place[next[last_tile_[s]]++] = static_cast<std::uint32_t>(s);
    }
}

void ContactLists::prune(const model::System& system, Workspace& work, bool from_model, int threads) {
    std::swap(old_, work.contacts);
    work.contacts.history_size = system.pairs.history_size;
    choose_classes(system);
    mark(system, work, threads);
    lay_out(work);
    fill(system, work, from_model, threads);
    order_refs(work, threads);
    assign_tiles(work, threads);
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
