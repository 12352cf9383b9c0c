#include "talus/scene/relax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/model/solid.h"

namespace talus::scene {

namespace {

/// Pairs are moved a little further apart than touching, so that few sweeps leave them clear of each other.
constexpr double beyond_touch = 1e-3;
/// Pairs up to this distance are listed, in radii of the smaller grain.
constexpr double listed_gap = 0.6;
/// A grain moves no further in a sweep, in radii: none is pushed through a wall.
constexpr double longest_move = 0.45;
/// Overlaps that can be undone are undone faster if pairs are moved further than they ask for. What cannot be undone is
/// spread evenly at last, by small moves, which tend to the least sum of squares.
constexpr double apart = 1.5;
constexpr double even_out = 0.2;
constexpr std::int64_t sweeps_to_even_out = 200;
constexpr std::int64_t look_every = 10;
constexpr std::int64_t stall_after = 100;
constexpr double least_gain = 0.02;  // of all overlap in `stall_after` sweeps
/// Overlaps below this part of a radius are rounding.
constexpr double no_overlap = 1e-12;

class Relaxer {
public:
    Relaxer(std::vector<Grain>& grains, const FillSpace& space)
        : grains_(grains), space_(space), clearance_(grains.size(), 0), listed_at_(grains.size()) {
        smallest_ = std::numeric_limits<double>::infinity();
        for (const Grain& grain : grains_) {
            at_.push_back(grain.position);
            radius_.push_back(grain.radius);
            smallest_ = std::min(smallest_, grain.radius);
        }
        for (const Obstacle& other : space_.obstacles()) {
            at_.push_back(other.center);
            radius_.push_back(other.radius);
        }
        for (const double r : radius_) {
            mass_.push_back(model::solid_volume(space_.domain().dimensions, r));
            largest_ = std::max(largest_, r);
        }
        confine_all(at_);
        list_pairs();
    }

    /// `strength`: part of an overlap that a pair is moved apart by.
    void sweep(bool forward, double strength, double target) {
        strength_ = strength;
        target_ = target;
        if (list_is_used_up()) {
            list_pairs();
        }
        before_.assign(at_.begin(), at_.begin() + static_cast<std::ptrdiff_t>(grains_.size()));
        const std::size_t count = pairs_.size();
        for (std::size_t k = 0; k < count; ++k) {
            separate(pairs_[forward ? k : count - 1 - k]);
        }
        confine_all(before_);
    }

    Relaxed look() {
        if (list_is_used_up()) {
            list_pairs();
        }
        Relaxed out;
        for (const Pair& pair : pairs_) {
            const double touch = radius_[pair.a] + radius_[pair.b];
            const double distance2 = norm2(from_to(pair));
            if (distance2 < touch * touch) {
                const double overlap = (touch - std::sqrt(distance2)) / std::min(radius_[pair.a], radius_[pair.b]);
                if (overlap > no_overlap) {
                    ++out.overlaps;
                    out.largest = std::max(out.largest, overlap);
                    out.mean += overlap;
                }
            }
        }
        out.mean /= static_cast<double>(std::max<std::int64_t>(1, out.overlaps));
        return out;
    }

    void give_back() {
        for (std::size_t i = 0; i < grains_.size(); ++i) {
            grains_[i].position = wrapped(space_.domain(), at_[i]);
        }
    }

private:
    struct Pair {
        std::size_t a = 0, b = 0;  // b: a grain of this fill; a may belong to another
    };

    Vec3d from_to(const Pair& pair) const { return space_.nearest_image(at_[pair.b] - at_[pair.a]); }

    void separate(const Pair& pair) {
        const Vec3d d = from_to(pair);
        const double wanted = (radius_[pair.a] + radius_[pair.b]) * target_;
        const double d2 = norm2(d);
        if (d2 >= wanted * wanted) {
            return;
        }
        const double distance = std::sqrt(d2);
        const Vec3d normal = distance > 0 ? d / distance : Vec3d{1, 0, 0};
        const Vec3d way = normal * (strength_ * (wanted - distance));
        const bool held = pair.a >= grains_.size();
        const double share = held ? 1 : mass_[pair.a] / (mass_[pair.a] + mass_[pair.b]);
        at_[pair.b] += way * share;
        if (!held) {
            at_[pair.a] -= way * (1 - share);
        }
    }

    /// Back into the region and off the walls, with steps of limited length.
    void confine_all(const std::vector<Vec3d>& start) {
        for (std::size_t i = 0; i < grains_.size(); ++i) {
            const double r = radius_[i] * (1 + beyond_touch);
            Vec3d move = at_[i] - start[i];
            const double length = norm(move);
            if (length > longest_move * r) {
                move *= longest_move * r / length;
            }
            const Vec3d wanted = start[i] + move;
            at_[i] = space_.confined(wanted, r);
            clearance_[i] -= norm(at_[i] - start[i]);
            if (clearance_[i] <= 0) {
                clearance_[i] = space_.push_off_walls(at_[i], r);
                at_[i] = space_.confined(at_[i], r);
            }
        }
    }

    bool list_is_used_up() const {
        const double most = 0.5 * listed_gap * smallest_;
        for (std::size_t i = 0; i < grains_.size(); ++i) {
            if (norm2(at_[i] - listed_at_[i]) > most * most) {
                return true;
            }
        }
        return false;
    }

    void list_pairs() {
        SphereGrid grid(space_.bounds(), space_.domain(), largest_);
        for (std::size_t i = 0; i < grains_.size(); ++i) {
            at_[i] = wrapped(space_.domain(), at_[i]);
        }
        // Others first: a grain then finds them and the grains before it.
        std::vector<std::size_t> index;
        const auto add = [&](std::size_t i) {
            grid.add(at_[i], radius_[i]);
            index.push_back(i);
        };
        for (std::size_t i = grains_.size(); i < at_.size(); ++i) {
            add(i);
        }
        pairs_.clear();
        for (std::size_t i = 0; i < grains_.size(); ++i) {
            near_.clear();
            grid.list_near(at_[i], radius_[i], listed_gap, near_);
            std::sort(near_.begin(), near_.end());
            for (const std::size_t other : near_) {
                pairs_.push_back({index[other], i});
            }
            add(i);
        }
        listed_at_.assign(at_.begin(), at_.begin() + static_cast<std::ptrdiff_t>(grains_.size()));
    }

    std::vector<Grain>& grains_;
    const FillSpace& space_;
    std::vector<Vec3d> at_;  // m, the grains' and then those of grains that stay
    std::vector<double> radius_, mass_;
    std::vector<double> clearance_;  // m, way to go before a wall can be touched
    std::vector<Vec3d> listed_at_, before_;
    std::vector<Pair> pairs_;
    std::vector<std::size_t> near_;
    double smallest_ = 0, largest_ = 0;  // m
    double strength_ = 1, target_ = 1;
};

}  // namespace

Relaxed relax(std::vector<Grain>& grains, const FillSpace& space, std::int64_t most_sweeps) {
    Relaxer relaxer(grains, space);
    Relaxed now = relaxer.look();
    double last_sum = std::numeric_limits<double>::infinity();
    double strength = apart;
    std::int64_t sweeps = 0;
    std::int64_t last_sweep = most_sweeps;
    while (now.overlaps > 0 && sweeps < last_sweep) {
        // To and fro: one order alone would drive the grains one way.
        relaxer.sweep(sweeps % 2 == 0, strength, strength == apart ? 1 + beyond_touch : 1);
        ++sweeps;
        if (sweeps % look_every == 0 || sweeps == last_sweep) {
            now = relaxer.look();
        }
        if (sweeps % stall_after == 0 && strength == apart) {
            const double sum = now.mean * static_cast<double>(now.overlaps);
            if (sum > (1 - least_gain) * last_sum || sweeps + stall_after >= most_sweeps) {
                strength = even_out;
                last_sweep = std::min(most_sweeps, sweeps + sweeps_to_even_out);
            }
            last_sum = sum;
        }
    }
    relaxer.give_back();
    now.sweeps = sweeps;
    return now;
}

}  // namespace talus::scene
