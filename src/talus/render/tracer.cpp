#include "talus/render/tracer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "talus/base/parallel.h"
#include "talus/base/random.h"
#include "talus/render/ray_scene.h"

namespace talus::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>;
constexpr int ambient_rays = 2;         // a sample
constexpr float key_light = 0.66F;      // of a white surface that faces it
constexpr float ambient_light = 0.52F;  // of a white surface under an open sky
constexpr float key_width = 0.11F;      // rad, half the width of the lamp: soft edges of shadows
constexpr float gloss_strength = 0.10F;
constexpr float gloss_power = 60;
constexpr std::uint32_t ground_id = Surface::nothing - 1;
constexpr float ground_depth = 0.75F;  // of the darkness of shadows on the ground
constexpr int most_layers = 48;        // of see-through surfaces along a ray
constexpr float deepest = 0.1F;        // of its radius: how far a ball in contact may stand out of a see-through wall
constexpr float one_film = 1e-5F;      // see-through surfaces nearer to one another are one: triangles meet at edges
constexpr int blur = 2;                // pixels to each side over which light on one surface is evened out

/// The n-th point of a sequence that fills a square evenly from the start (the plastic number's Kronecker sequence).
struct Even {
    float u, v;
};
Even even_point(double n, double shift_u, double shift_v) {
    constexpr double plastic = 1.32471795724474602596;
    double whole = 0;
    return {static_cast<float>(std::modf(shift_u + n / plastic, &whole)),
            static_cast<float>(std::modf(shift_v + n / (plastic * plastic), &whole))};
}

/// Two directions across a unit vector.
struct Across {
    Vec3f a, b;
};
Across across(const Vec3f& n) {
    const Vec3f helper = std::abs(n.z) < 0.7F ? Vec3f{0, 0, 1} : Vec3f{1, 0, 0};
    const Vec3f a = math::normalized(math::cross(helper, n));
    return {a, math::cross(n, a)};
}

Vec3f to_float(const Vec3d& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// What one ray through a pixel found.
struct Sample {
    std::uint32_t surface = Surface::nothing;
    float through = 1;  // of the light from the surface that comes through what lies before it
    Rgb before;         // light from what lies before it
    Rgb colour;
    Vec3f normal;
    float key = 1;   // of the lamp that is seen
    float open = 1;  // of the sky that is seen
    float gloss = 0;
    float faded = 0;      // of the ground: the part of its shadows that is not drawn
    bool smooth = false;  // a wide surface, on which light changes little from pixel to pixel
};

class Tracer {
public:
    Tracer(const World& world, const Camera& camera, const TraceSettings& settings)
        : scene_(world),
          camera_(camera),
          settings_(settings),
          has_ground_(world.ground.has_value()),
          light_reach_(scene_.light_reach()) {
        const Axes& axes = camera.axes;
        to_key_ = to_float(math::normalized(axes.up * 1.05 - axes.right * 0.50 - axes.forward * 0.70));
        sky_ = to_float(math::normalized(axes.up - axes.forward * 0.35));
        key_across_ = across(to_key_);
        if (has_ground_) {
            const Vec3d below{0, 0, *world.ground};
            ground_ = scene_.local(below).z;
            has_ground_ = camera.parallel ? axes.forward.z < 0 : camera.eye.z > *world.ground;
            // On the ground the lamp lights as much as on a surface under it.
            ground_full_ = key_light * std::max(0.0F, to_key_.z) + ambient_light;
        }
    }

    Sample look(int x, int y, int number) const {
        const Even jitter = even_point(number + 1, 0.5, 0.5);
        const Ray ray = camera_.ray(x + static_cast<double>(jitter.u), y + static_cast<double>(jitter.v));
        const Vec3f origin = scene_.local(ray.origin);
        const Vec3f direction = to_float(ray.direction);
        Sample out;
        const Surface solid = scene_.first_opaque(origin, direction);
        see_through(out, solid, origin, direction);
        if (solid.id != Surface::nothing) {
            light(out, solid, direction, x, y, number);
        } else if (has_ground_ && direction.z < 0) {
            meet_ground(out, origin, direction, x, y, number);
        }
        return out;
    }

    Rgb shaded(const Sample& s, float key, float open) const {
        Rgb light = settings_.background;
        if (s.surface == ground_id) {
            const float lit = (key_light * key * std::max(0.0F, to_key_.z) + ambient_light * open) / ground_full_;
            light = settings_.background * (1 - ground_depth * (1 - s.faded) * (1 - lit));
        } else if (s.surface != Surface::nothing) {
            const float facing = std::max(0.0F, math::dot(s.normal, to_key_));
            const float zenith = 0.5F + 0.5F * math::dot(s.normal, sky_);
            const float ambient = ambient_light * (0.72F + 0.28F * zenith);
            // Light that a crevice gives back to itself: v / (1 - albedo (1 - v)), after infinitely many bounces.
            const auto bounced = [open](float albedo) { return open / (1 - 0.8F * albedo * (1 - open)); };
            const float direct = key_light * key * facing;
            light = {s.colour.r * (direct + ambient * bounced(s.colour.r)),
                     s.colour.g * (direct + ambient * bounced(s.colour.g)),
                     s.colour.b * (direct + ambient * bounced(s.colour.b))};
            const float shine = s.gloss * key;
            light += Rgb{shine, shine, shine};
        }
        return s.before + light * s.through;
    }

private:
    static constexpr float ground_fade_begin = 1.2F, ground_fade_end = 3.0F;

    float gloss(const Vec3f& normal, const Vec3f& direction) const {
        const Vec3f half = math::normalized(to_key_ - direction);
        return gloss_strength * std::pow(std::max(0.0F, math::dot(normal, half)), gloss_power);
    }

    /// Nothing but the ground is left to meet; towards its rim it becomes the background.
    void meet_ground(Sample& out, const Vec3f& origin, const Vec3f& direction, int x, int y, int number) const {
        Surface floor;
        floor.id = ground_id;
        floor.point = origin + direction * ((ground_ - origin.z) / direction.z);
        floor.normal = {0, 0, 1};
        floor.lift = 1e-5F;
        floor.wide = true;
        const float away = std::sqrt(floor.point.x * floor.point.x + floor.point.y * floor.point.y);
        out.faded = std::clamp((away - ground_fade_begin) / (ground_fade_end - ground_fade_begin), 0.0F, 1.0F);
        if (out.faded < 1) {
            light(out, floor, direction, x, y, number);
        }
    }

    /// All see-through surfaces before what is met in the end. Soft balls stand out of the walls they press on: a wall
    /// just behind a ball's face still is before it if the ball's centre lies behind the wall.
    void see_through(Sample& out, const Surface& solid, const Vec3f& origin, const Vec3f& direction) const {
        const float end = solid.id == Surface::nothing ? std::numeric_limits<float>::infinity() : solid.distance;
        const float slant = std::max(0.2F, -math::dot(solid.normal, direction));
        const float reach = end + deepest * solid.radius / slant;
        const Vec3f center = solid.point - solid.normal * solid.radius;
        float from = 0;
        for (int layer = 0; layer < most_layers; ++layer) {
            const Surface met = scene_.first_clear(origin, direction, from, reach);
            if (met.id == Surface::nothing) {
                break;
            }
            if (met.distance <= end || math::dot(center - met.point, met.normal) < 0) {
                pass(out, met, direction);
            }
            from = met.wide ? met.distance + one_film : std::nextafter(met.distance, reach);
        }
    }

    /// A see-through surface: a film, of which a slanting ray passes more.
    void pass(Sample& out, const Surface& met, const Vec3f& direction) const {
        const float facing = std::max(0.05F, -math::dot(met.normal, direction));
        const float share = 1 - std::pow(1 - met.opacity, 1 / facing);
        const float lit = 0.80F + 0.20F * std::max(0.0F, math::dot(met.normal, to_key_));
        const float shine = gloss(met.normal, direction);
        out.before += (met.colour * (lit * share) + Rgb{shine, shine, shine}) * out.through;
        out.through *= 1 - share;
    }

    /// How much of lamp and sky an opaque surface sees.
    void light(Sample& out, const Surface& met, const Vec3f& direction, int x, int y, int number) const {
        out.surface = met.id;
        out.normal = met.normal;
        out.colour = met.colour;
        out.smooth = met.wide;
        const Vec3f start = met.point + met.normal * met.lift;
        // Neighbouring pixels begin at different places of the sequence, so that together they fill the square.
        const auto random = base::philox({static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0, 0}, {0, 0});
        const double u = random[0] * 0x1.0p-32;
        const double v = random[1] * 0x1.0p-32;
        const Even lamp = even_point(number, v, u);
        const float radius = key_width * std::sqrt(lamp.u);
        const Vec3f towards = math::normalized(to_key_ + key_across_.a * (radius * std::cos(2 * pi * lamp.v)) +
                                               key_across_.b * (radius * std::sin(2 * pi * lamp.v)));
        const float facing = math::dot(met.normal, towards);
        out.key = facing > 0 && !scene_.blocked(start, towards, 1e6F) ? 1.0F : 0.0F;
        const Across tangent = across(met.normal);
        int open = 0;
        for (int k = 0; k < ambient_rays; ++k) {
            const Even e = even_point(number * ambient_rays + k, u, v);
            const float r = std::sqrt(e.u);
            const Vec3f way = tangent.a * (r * std::cos(2 * pi * e.v)) + tangent.b * (r * std::sin(2 * pi * e.v)) +
                              met.normal * std::sqrt(std::max(0.0F, 1 - e.u));
            open += scene_.blocked(start, way, light_reach_) ? 0 : 1;
        }
        out.open = static_cast<float>(open) / ambient_rays;
        out.gloss = gloss(met.normal, direction);
    }

    RayScene scene_;
    const Camera& camera_;
    const TraceSettings& settings_;
    bool has_ground_;
    float light_reach_;
    float ground_ = 0, ground_full_ = 1;
    Vec3f to_key_, sky_;
    Across key_across_{};
};

/// The light of a pixel's surface, evened out over its neighbours that show the same surface turned the same way.
Even evened(const std::vector<Sample>& samples, const Picture& picture, int x, int y) {
    const Sample& own = samples[picture.index(x, y)];
    float key = 0;
    float open = 0;
    int count = 0;
    const int stride = own.smooth ? 2 : 1;
    for (int j = y - blur * stride; j <= y + blur * stride; j += stride) {
        for (int i = x - blur * stride; i <= x + blur * stride; i += stride) {
            if (!picture.holds(i, j)) {
                continue;
            }
            const Sample& other = samples[picture.index(i, j)];
            if (other.surface == own.surface && math::dot(other.normal, own.normal) > 0.9F) {
                key += other.key;
                open += other.open;
                ++count;
            }
        }
    }
    return {key / static_cast<float>(count), open / static_cast<float>(count)};
}

}  // namespace

Picture trace(const World& world, const Camera& camera, int width, int height, const TraceSettings& settings) {
    Picture picture(width, height, {0, 0, 0});
    const Tracer tracer(world, camera, settings);
    std::vector<Sample> samples(picture.pixels.size());
    const auto column = [width](std::size_t i) { return static_cast<int>(i % static_cast<std::size_t>(width)); };
    const auto row = [width](std::size_t i) { return static_cast<int>(i / static_cast<std::size_t>(width)); };
    for (int number = 0; number < settings.samples; ++number) {
        base::parallel_for_in_turn(samples.size(), settings.threads,
                                   [&](std::size_t i) { samples[i] = tracer.look(column(i), row(i), number); });
        base::parallel_for_in_turn(samples.size(), settings.threads, [&](std::size_t i) {
            const Sample& sample = samples[i];
            const Even light =
                sample.surface == Surface::nothing ? Even{1, 1} : evened(samples, picture, column(i), row(i));
            picture.pixels[i] += tracer.shaded(sample, light.u, light.v);
        });
    }
    for (Rgb& pixel : picture.pixels) {
        pixel = pixel * (1 / static_cast<float>(settings.samples));
    }
    return picture;
}

}  // namespace talus::render
