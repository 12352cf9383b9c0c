// Grains of many spheres in a fill: which shape each one has, and how it is turned.
#pragma once

#include <map>
#include <vector>

#include "talus/base/random.h"
#include "talus/model/grains.h"
#include "talus/scene/fill.h"

namespace talus::scene {

/// Deals in rounds, each in an order of its own: grains that are near one another get different ones.
class Deal {
public:
    explicit Deal(std::vector<std::int32_t> hand) : hand_(std::move(hand)) {}

    std::int32_t next(base::Random& random) {
        left_ = left_ == 0 ? hand_.size() : left_;
        const auto chosen = static_cast<std::size_t>(random.uniform() * static_cast<double>(left_));
        std::swap(hand_[chosen], hand_[--left_]);
        return hand_[left_];
    }

private:
    std::vector<std::int32_t> hand_;
    std::size_t left_ = 0;  // of this round
};

/// Shapes and turns for the grains of a fill that has shapes, one after another.
class ShapeDeal {
public:
    ShapeDeal(const FillSpec& spec, const model::Grains& grains);
    /// Of a grain of this radius (m).
    std::int32_t shape(double radius);
    math::Quaterniond turn(std::int32_t shape);

private:
    const FillSpec& spec_;
    const model::Grains& grains_;
    base::Random shapes_, turns_;
    Deal names_;
    std::vector<Deal> variants_;         // of each name
    std::map<double, Deal> of_reach_{};  // where grains are as large as drawn
};

/// The fill with what follows from its shapes: sizes where they are as drawn, and how much of its ball a grain fills.
FillSpec with_shapes(FillSpec spec, const model::Grains& grains);

/// What a contact feels of a grain, for advice on stiffness and time step.
struct ContactScale {
    double mass = 1;    // of the whole: what a push at the outermost sphere moves, the grain being free to turn
    double radius = 1;  // of the grain's: the smallest sphere
};
ContactScale contact_scale(const model::GrainShape& shape);

class ContactScales {
public:
    explicit ContactScales(const model::Grains& grains);
    ContactScale of(std::size_t body) const {
        return grains_.is_sphere(body) ? ContactScale{} : of_shape_[static_cast<std::size_t>(grains_.shape[body])];
    }

private:
    const model::Grains& grains_;
    std::vector<ContactScale> of_shape_;
};

/// What a contact feels of a fill's grains of one shape at least.
struct LeastGrain {
    double volume = 0;   // m3, of what it moves
    double radius = 0;   // m
    double density = 0;  // kg/m3; 0: that of the material
};
std::vector<LeastGrain> least_grains(const FillSpec& spec, const model::Grains& grains);

}  // namespace talus::scene
