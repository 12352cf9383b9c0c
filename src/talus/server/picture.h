// What viewers see of one instant, complete in itself: made by the thread that owns the run, read by the one that
// serves. Lengths are in float, relative to an origin: a picture needs no more.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "talus/math/mat3.h"
#include "talus/math/vec3.h"
#include "talus/server/message.h"

namespace talus::server {

using math::Mat3d;
using math::Vec3d;

/// Who is there; the same object as long as nobody comes or goes.
struct Population {
    std::vector<std::int64_t> id;         // of each grain, ascending
    std::vector<float> radius;            // m, of each sphere
    std::vector<std::uint32_t> grain_of;  // index of each sphere's grain; empty: each grain is one sphere
    float smallest = 0;                   // m, of the radii

    std::size_t spheres() const { return radius.size(); }
    std::size_t grain(std::size_t sphere) const { return grain_of.empty() ? sphere : grain_of[sphere]; }
};

/// Contact forces as lines, the strongest first.
struct Chains {
    static constexpr std::size_t most = 30000;  // more would only be grey
    std::vector<float> ends;                    // m, six a line, relative to the origin
    std::vector<float> force;                   // N, magnitude
};

/// Where a wall is now that stood elsewhere when its surface was sent.
struct WallPose {
    std::uint32_t wall = 0;  // number among the walls
    Vec3d position;          // m
    Mat3d rotation;
};

/// The box of all centres, relative to the origin; zero where there is none.
struct Box {
    std::array<float, 3> low{}, high{};
};
/// Of points that lie somewhere: those that are nowhere (NaN, infinity) do not count.
Box box_of(std::span<const float> xyz);

struct Picture {
    std::int64_t identity = 0;  // pictures of the same identity show the same instant
    double time = 0;            // s
    std::int64_t step = 0;
    std::int64_t frame = -1;  // number of the stored frame; -1: the run as it is now
    std::string stage;
    std::string fault;  // why there is nothing to see; usually empty
    Vec3d origin;       // m
    std::shared_ptr<const Population> population;
    std::vector<float> position;                       // m, three a sphere, relative to the origin
    Box box;                                           // of the positions
    std::map<std::string, std::vector<float>> fields;  // those that somebody colours by: a value a grain, or none
                                                       // where it is not known
    std::shared_ptr<const Chains> chains;              // null: nobody asked
    Message walls;                                     // their surfaces; the same object as long as they are the same
    std::vector<WallPose> poses;                       // of walls that stand elsewhere than `walls` says
    std::map<std::int64_t, Json> grains;               // by id, numbers of the grains that somebody has picked
};

/// How a viewer wants a picture to be sent.
struct Manner {
    std::string field;         // to colour by
    bool chains = false;       // with force chains
    std::int64_t grain = -1;   // id of the picked grain
    std::uint32_t one_in = 1;  // only grains whose id divides by this are sent
    bool has_range = false;    // false: colours span what there is
    float low = 0, high = 0;   // the range of colours

    bool operator==(const Manner&) const = default;
};

/// The grains that are there, for whoever has not heard of this population and this thinning yet.
Message population_message(const Population& population, std::uint32_t one_in);
/// The instant: positions in 16 bits of their box where that is fine enough, colours in 8 bits of their range.
Message picture_message(const Picture& picture, const Manner& manner);

/// Makes each message once, however many viewers want the same of the same picture.
class SharedMessages {
public:
    Message of(const std::shared_ptr<const Population>& population, std::uint32_t one_in);
    Message of(const std::shared_ptr<const Picture>& picture, const Manner& manner);

private:
    std::shared_ptr<const Population> population_;  // the last one asked for, whose messages are kept
    std::map<std::uint32_t, Message> populations_;
    std::shared_ptr<const Picture> picture_;
    std::vector<std::pair<Manner, Message>> pictures_;
};

}  // namespace talus::server
