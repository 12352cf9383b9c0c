#include "talus/render/ray_scene.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace talus::render {
namespace {

constexpr float endless = std::numeric_limits<float>::infinity();
constexpr float sheet_lift = 2e-5F;
constexpr float least_lift = 5e-7F;  // a few last digits of a place

void check(RTCDevice device) {
    const RTCError error = rtcGetDeviceError(device);
    if (error != RTC_ERROR_NONE) {
        throw std::runtime_error("Embree: error " + std::to_string(static_cast<int>(error)));
    }
}

/// A buffer of `count` records of `Item` owned by the geometry.
template <class Item>
Item* buffer_of(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t count) {
    void* data = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(Item), count);
    if (data == nullptr) {
        throw std::runtime_error("Embree: no memory for " + std::to_string(count) + " records");
    }
    return static_cast<Item*>(data);
}

void aim(RTCRay& ray, const Vec3f& origin, const Vec3f& direction, float from, float to) {
    ray.org_x = origin.x;
    ray.org_y = origin.y;
    ray.org_z = origin.z;
    ray.dir_x = direction.x;
    ray.dir_y = direction.y;
    ray.dir_z = direction.z;
    ray.tnear = from;
    ray.tfar = to;
    ray.mask = ~0U;
}

struct Vertex {
    float x, y, z, r;
};
struct Point {
    float x, y, z;
};
struct Corners {
    unsigned a, b, c;
};

}  // namespace

struct RayScene::Library {
    RTCDevice device;
    RTCScene opaque, clear;  // two trees: what can be seen through is searched for by itself
    bool has_clear = false;
    std::uint32_t balls = 0, tubes = 0;  // numbers of geometries; the sheets' follow

    // One thread builds, so that equal worlds give equal trees, and one set of instructions serves all processors.
    Library()
        : device(rtcNewDevice("threads=1,max_isa=avx2")), opaque(rtcNewScene(device)), clear(rtcNewScene(device)) {
        check(device);
    }
    ~Library() {
        rtcReleaseScene(opaque);
        rtcReleaseScene(clear);
        rtcReleaseDevice(device);
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    void attach(RTCGeometry geometry, double opacity, std::uint32_t number) {
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(opacity < 1 ? clear : opaque, geometry, number);
        rtcReleaseGeometry(geometry);
        has_clear = has_clear || opacity < 1;
    }
};

RayScene::RayScene(const World& world)
    : world_(world), extent_(extent_of(world)), library_(std::make_unique<Library>()) {
    Library& library = *library_;
    const double scale = 1 / extent_.radius;
    const auto vertex = [&](const Vec3d& at, double radius) {
        const Vec3f p = local(at);
        return Vertex{p.x, p.y, p.z, static_cast<float>(radius * scale)};
    };
    std::uint32_t next = 0;
    library.balls = next++;
    if (!world.balls.empty()) {
        RTCGeometry geometry = rtcNewGeometry(library.device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
        auto* out = buffer_of<Vertex>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, world.balls.size());
        for (const Ball& ball : world.balls) {
            *out = vertex(ball.center, ball.radius);
            widest_ = std::max(widest_, 2 * out->r);
            ++out;
        }
        library.attach(geometry, world.ball_opacity, library.balls);
    }
    library.tubes = next++;
    if (!world.tubes.empty()) {
        RTCGeometry geometry = rtcNewGeometry(library.device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
        auto* ends = buffer_of<Vertex>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, 2 * world.tubes.size());
        auto* first = buffer_of<unsigned>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, world.tubes.size());
        unsigned at = 0;
        for (const Tube& tube : world.tubes) {
            *ends++ = vertex(tube.from, tube.radius);
            *ends++ = vertex(tube.to, tube.radius);
            *first++ = at;
            at += 2;
        }
        library.attach(geometry, 1, library.tubes);
    }
    for (const Sheet& sheet : world.sheets) {
        const std::uint32_t number = next++;
        if (sheet.triangles.empty()) {
            continue;
        }
        RTCGeometry geometry = rtcNewGeometry(library.device, RTC_GEOMETRY_TYPE_TRIANGLE);
        auto* points = buffer_of<Point>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, sheet.points.size());
        for (const Vec3d& point : sheet.points) {
            const Vec3f p = local(point);
            *points++ = {p.x, p.y, p.z};
        }
        auto* corners = buffer_of<Corners>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, sheet.triangles.size());
        for (const auto& [a, b, c] : sheet.triangles) {
            *corners++ = {a, b, c};
        }
        library.attach(geometry, sheet.opacity, number);
    }
    rtcCommitScene(library.opaque);
    rtcCommitScene(library.clear);
    check(library.device);
    for (const CutPlane& cut : world.cuts) {
        cuts_.push_back({cut.normal, (cut.offset - math::dot(cut.normal, extent_.center)) * scale});
    }
}

RayScene::~RayScene() = default;

Vec3f RayScene::local(const Vec3d& world) const {
    const Vec3d p = (world - extent_.center) / extent_.radius;
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

RayScene::Span RayScene::uncut(const Vec3f& origin, const Vec3f& direction, float from) const {
    Span span{from, endless, nullptr};
    for (const CutPlane& cut : cuts_) {
        const Vec3f n{static_cast<float>(cut.normal.x), static_cast<float>(cut.normal.y),
                      static_cast<float>(cut.normal.z)};
        const float height = math::dot(n, origin) - static_cast<float>(cut.offset);
        const float slope = math::dot(n, direction);
        if (slope > 0 && -height / slope > span.from) {
            span.from = -height / slope;
            span.face = &cut;
        } else if (slope < 0) {
            span.to = std::min(span.to, -height / slope);
        } else if (slope == 0 && height < 0) {
            span.to = span.from;
        }
    }
    return span;
}

Surface RayScene::first_of(Kind kind, const Vec3f& origin, const Vec3f& direction, float from, float to) const {
    Surface found;
    if (!(from < to)) {
        return found;
    }
    RTCRayHit query{};
    aim(query.ray, origin, direction, from, to);
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(kind == Kind::clear ? library_->clear : library_->opaque, &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) {
        return found;
    }
    const std::uint32_t item = query.hit.primID;
    found.distance = query.ray.tfar;
    found.point = origin + direction * found.distance;
    if (query.hit.geomID == library_->balls) {
        const Ball& ball = world_.balls[item];
        const Vec3f center = local(ball.center);
        const auto radius = static_cast<float>(ball.radius / extent_.radius);
        found.normal = math::normalized(found.point - center);
        found.point = center + found.normal * radius;
        found.lift = std::max(1e-3F * radius, least_lift);
        found.radius = radius;
        found.colour = ball.colour;
        // A ray passes both sides of a ball, which together have its opacity.
        found.opacity = static_cast<float>(1 - std::sqrt(1 - world_.ball_opacity));
        found.id = item;
    } else if (query.hit.geomID == library_->tubes) {
        const Tube& tube = world_.tubes[item];
        found.normal = math::normalized(Vec3f{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z});
        found.lift = std::max(1e-2F * static_cast<float>(tube.radius / extent_.radius), sheet_lift);
        found.colour = tube.colour;
        found.id = static_cast<std::uint32_t>(world_.balls.size()) + item;
    } else {
        const std::uint32_t number = query.hit.geomID - library_->tubes - 1;
        const Sheet& sheet = world_.sheets[number];
        const auto [a, b, c] = sheet.triangles[item];
        const Vec3d n = sheet.normals[a] * (1 - static_cast<double>(query.hit.u) - static_cast<double>(query.hit.v)) +
                        sheet.normals[b] * static_cast<double>(query.hit.u) +
                        sheet.normals[c] * static_cast<double>(query.hit.v);
        found.normal =
            math::normalized(Vec3f{static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)});
        found.lift = sheet_lift;
        found.wide = true;
        found.colour = sheet.colour;
        found.opacity = static_cast<float>(sheet.opacity);
        found.id = static_cast<std::uint32_t>(world_.balls.size() + world_.tubes.size()) + number;
    }
    if (math::dot(found.normal, direction) > 0) {
        found.normal = -found.normal;
    }
    return found;
}

/// The ray comes through a cut: where it comes out within a ball it has met that ball's flat face.
Surface RayScene::cut_face(const Vec3f& origin, const Vec3f& direction, const Span& span) const {
    const Vec3f entry = origin + direction * span.from;
    const Surface first = first_of(Kind::opaque, origin, direction, span.from, span.to);
    const float limit = std::min(span.to, span.from + widest_);
    // A ball around the entry ends within its own width; other balls, tubes and walls may lie across it.
    for (Surface next = first; next.id != Surface::nothing && next.distance <= limit;
         next = first_of(Kind::opaque, origin, direction, next.distance + next.lift, limit)) {
        if (next.id >= world_.balls.size()) {
            continue;
        }
        const Ball& ball = world_.balls[next.id];
        if (math::norm2(entry - local(ball.center)) < next.radius * next.radius) {
            const Vec3d& n = span.face->normal;
            next.normal = {static_cast<float>(-n.x), static_cast<float>(-n.y), static_cast<float>(-n.z)};
            next.point = entry;
            next.distance = span.from;
            next.radius = 0;
            return next;
        }
    }
    return first;
}

Surface RayScene::first_opaque(const Vec3f& origin, const Vec3f& direction) const {
    if (cuts_.empty()) {
        return first_of(Kind::opaque, origin, direction, 0, endless);
    }
    const Span span = uncut(origin, direction, 0);
    if (span.face != nullptr && world_.ball_opacity >= 1) {
        return cut_face(origin, direction, span);
    }
    return first_of(Kind::opaque, origin, direction, span.from, span.to);
}

Surface RayScene::first_clear(const Vec3f& origin, const Vec3f& direction, float from, float to) const {
    if (!library_->has_clear) {
        return {};
    }
    const Span span = uncut(origin, direction, from);
    return first_of(Kind::clear, origin, direction, span.from, std::min(span.to, to));
}

bool RayScene::blocked(const Vec3f& origin, const Vec3f& direction, float reach) const {
    const Span span = uncut(origin, direction, 0);
    if (!(span.from < std::min(reach, span.to))) {
        return false;
    }
    RTCRay ray{};
    aim(ray, origin, direction, span.from, std::min(reach, span.to));
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(library_->opaque, &context, &ray);
    return ray.tfar < 0;  // Embree's way of saying yes
}

}  // namespace talus::render
