// A world made ready for rays by Embree. Lengths are in units of the world's extent, about its centre, so that floats
// have digits enough whether grains are microns or kilometres wide.
#pragma once

#include <cstdint>
#include <memory>

#include "talus/render/world.h"

namespace talus::render {

using Vec3f = math::Vec3<float>;

/// What a ray meets.
struct Surface {
    static constexpr std::uint32_t nothing = 0xFFFFFFFFU;
    std::uint32_t id = nothing;  // of the ball, tube or sheet
    float distance = 0;
    Vec3f point;
    Vec3f normal;      // unit vector, on the side the ray comes from
    float lift = 0;    // how far rays that leave from here have to start off the surface
    float radius = 0;  // of a ball that was met on its round side
    Rgb colour;
    float opacity = 1;
    bool wide = false;  // a sheet, or the ground
};

class RayScene {
public:
    explicit RayScene(const World& world);
    ~RayScene();
    RayScene(const RayScene&) = delete;
    RayScene& operator=(const RayScene&) = delete;

    /// The first opaque surface along the ray.
    Surface first_opaque(const Vec3f& origin, const Vec3f& direction) const;
    /// The first see-through surface along the ray between two distances.
    Surface first_clear(const Vec3f& origin, const Vec3f& direction, float from, float to) const;
    /// Whether anything opaque is met within `reach`.
    bool blocked(const Vec3f& origin, const Vec3f& direction, float reach) const;

    Vec3f local(const Vec3d& world) const;
    /// How far what takes light away may be.
    float light_reach() const { return static_cast<float>(extent_.reach / extent_.radius); }

private:
    struct Library;
    struct Span {
        float from, to;
        const CutPlane* face;  // the cut that the ray comes through, if any
    };
    enum class Kind { opaque, clear };
    Span uncut(const Vec3f& origin, const Vec3f& direction, float from) const;
    Surface cut_face(const Vec3f& origin, const Vec3f& direction, const Span& span) const;
    Surface first_of(Kind kind, const Vec3f& origin, const Vec3f& direction, float from, float to) const;

    const World& world_;
    Extent extent_;
    std::vector<CutPlane> cuts_;  // in local units
    float widest_ = 0;            // diameter of the largest ball
    std::unique_ptr<Library> library_;
};

}  // namespace talus::render
