#include "talus/geometry/box_tree.h"

#include <limits>
#include <numeric>

namespace talus::geometry {

namespace {

constexpr std::uint32_t most_in_leaf = 4;

}  // namespace

BoxTree::BoxTree(std::span<const Box> boxes) : items_(boxes.size()) {
    std::iota(items_.begin(), items_.end(), std::uint32_t{0});
    if (!boxes.empty()) {
        nodes_.reserve(boxes.size());
        split(boxes, 0, static_cast<std::uint32_t>(boxes.size()));
    }
}

/// Halves are equal in number, so that no arrangement of boxes makes the tree deep.
void BoxTree::split(std::span<const Box> boxes, std::uint32_t first, std::uint32_t count) {
    const auto begin = items_.begin() + first;
    const auto end = begin + count;
    constexpr double far = std::numeric_limits<double>::infinity();
    Node node{{{far, far, far}, {-far, -far, -far}}};
    for (auto it = begin; it != end; ++it) {
        node.box.take_in(boxes[*it].low);
        node.box.take_in(boxes[*it].high);
    }
    const std::size_t at = nodes_.size();
    if (count <= most_in_leaf) {
        node.first = first;
        node.count = count;
        nodes_.push_back(node);
        return;
    }
    nodes_.push_back(node);
    const Vec3d size = node.box.high - node.box.low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    const std::uint32_t half = count / 2;
    std::nth_element(begin, begin + half, end, [&](std::uint32_t s, std::uint32_t t) {
        return boxes[s].low[axis] + boxes[s].high[axis] < boxes[t].low[axis] + boxes[t].high[axis];
    });
    split(boxes, first, half);
    nodes_[at].other = static_cast<std::uint32_t>(nodes_.size());
    split(boxes, first + half, count - half);
}

}  // namespace talus::geometry
