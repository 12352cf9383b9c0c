// A tree of boxes over things that lie in space, so that what is far from a place is passed over in whole branches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "talus/math/vec3.h"

namespace talus::geometry {

using math::Vec3d;

struct Box {
    Vec3d low, high;  // m

    void take_in(const Vec3d& p) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    }
    double distance2(const Vec3d& p) const {
        double sum = 0;
        for (int i = 0; i < 3; ++i) {
            const double off = std::max({low[i] - p[i], 0.0, p[i] - high[i]});
            sum += off * off;
        }
        return sum;
    }
    bool overlaps(const Box& other) const {
        return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y &&
               low.z <= other.high.z && other.low.z <= high.z;
    }
};

class BoxTree {
public:
    BoxTree() = default;
    /// Of things that are named by their place in the list.
    explicit BoxTree(std::span<const Box> boxes);

    /// Calls `see(item)` for whatever may be nearer to `p` than the square root of `least2`, likely ones first; `see`
    /// may lower that as it finds nearer ones.
    template <class See>
    void seek(const Vec3d& p, double& least2, const See& see) const {
        if (!nodes_.empty()) {
            seek_in(0, p, least2, see);
        }
    }
    /// Calls `see(item)` for all whose box passes `meets(box)`, a test that passes whatever holds a box that does.
    template <class Meets, class See>
    void visit(const Meets& meets, const See& see) const {
        if (!nodes_.empty() && meets(nodes_[0].box)) {
            visit_in(0, meets, see);
        }
    }
    /// Around everything; there must be something.
    const Box& box() const { return nodes_[0].box; }

private:
    struct Node {
        Box box;
        std::uint32_t first = 0, count = 0;  // items; none: its halves are the next node and `other`
        std::uint32_t other = 0;
    };
    void split(std::span<const Box> boxes, std::uint32_t first, std::uint32_t count);

    template <class See>
    void seek_in(std::uint32_t n, const Vec3d& p, double& least2, const See& see) const {
        const Node& node = nodes_[n];
        for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
            see(items_[k]);
        }
        if (node.count > 0) {
            return;
        }
        std::pair<double, std::uint32_t> near_half{nodes_[n + 1].box.distance2(p), n + 1};
        std::pair<double, std::uint32_t> far_half{nodes_[node.other].box.distance2(p), node.other};
        if (far_half.first < near_half.first) {
            std::swap(near_half, far_half);
        }
        for (const auto& [distance2, half] : {near_half, far_half}) {
            if (distance2 < least2) {
                seek_in(half, p, least2, see);
            }
        }
    }
    template <class Meets, class See>
    void visit_in(std::uint32_t n, const Meets& meets, const See& see) const {
        const Node& node = nodes_[n];
        for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
            see(items_[k]);
        }
        if (node.count > 0) {
            return;
        }
        for (const std::uint32_t half : {n + 1, node.other}) {
            if (meets(nodes_[half].box)) {
                visit_in(half, meets, see);
            }
        }
    }

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> items_;
};

}  // namespace talus::geometry
