// The exact sum of vectors, component by component.
#pragma once

#include "talus/base/exact_sum.h"
#include "talus/math/vec3.h"

namespace talus::analysis {

class ExactVectorSum {
public:
    ExactVectorSum& operator+=(const math::Vec3d& term) {
        x_ += term.x;
        y_ += term.y;
        z_ += term.z;
        return *this;
    }
    math::Vec3d value() const { return {x_.value(), y_.value(), z_.value()}; }

private:
    base::ExactSum x_, y_, z_;
};

}  // namespace talus::analysis
