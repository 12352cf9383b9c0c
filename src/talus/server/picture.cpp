#include "talus/server/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace talus::server {

namespace {

struct Box {
    std::array<float, 3> low{}, high{};
};

/// Calls `f(sphere)` for those that are sent.
template <class F>
void for_sent(const Population& population, std::uint32_t one_in, F f) {
    for (std::size_t s = 0; s < population.spheres(); ++s) {
        if (one_in <= 1 || population.id[population.grain(s)] % one_in == 0) {
            f(s);
        }
    }
}

Box box_of(const std::vector<float>& xyz) {
    constexpr float far = std::numeric_limits<float>::max();
    Box box{{far, far, far}, {-far, -far, -far}};
    for (std::size_t i = 0; i < xyz.size(); ++i) {
        box.low[i % 3] = std::min(box.low[i % 3], xyz[i]);
        box.high[i % 3] = std::max(box.high[i % 3], xyz[i]);
    }
    return xyz.empty() ? Box{} : box;
}

std::vector<float> thinned(const Picture& picture, std::uint32_t one_in) {
    if (one_in <= 1) {
        return picture.position;
    }
    std::vector<float> out;
    for_sent(*picture.population, one_in, [&](std::size_t s) {
        out.insert(out.end(), {picture.position[3 * s], picture.position[3 * s + 1], picture.position[3 * s + 2]});
    });
    return out;
}

std::vector<std::uint16_t> in_sixteen_bits(const std::vector<float>& xyz, const Box& box) {
    std::array<float, 3> scale{};
    for (std::size_t k = 0; k < 3; ++k) {
        const float extent = box.high[k] - box.low[k];
        scale[k] = extent > 0 ? 65535.0F / extent : 0.0F;
    }
    std::vector<std::uint16_t> out(xyz.size());
    for (std::size_t i = 0; i + 2 < xyz.size(); i += 3) {
        for (std::size_t k = 0; k < 3; ++k) {
            out[i + k] = static_cast<std::uint16_t>(std::rint((xyz[i + k] - box.low[k]) * scale[k]));
        }
    }
    return out;
}

/// Between the 2nd and the 98th percentile of a sample: a few fast grains must not leave all others in the dark.
std::pair<float, float> range_of(const std::vector<float>& values) {
    constexpr std::size_t sample = 2000;
    std::vector<float> some;
    for (std::size_t i = 0; i < values.size(); i += 1 + values.size() / sample) {
        if (std::isfinite(values[i])) {
            some.push_back(values[i]);
        }
    }
    if (some.empty()) {
        return {0.0F, 1.0F};
    }
    std::sort(some.begin(), some.end());
    return {some[some.size() / 50], some[some.size() - 1 - some.size() / 50]};
}

std::vector<std::uint8_t> colours(const Picture& picture, const Manner& manner, const std::vector<float>& values,
                                  float low, float high) {
    const float scale = high > low ? 255.0F / (high - low) : 0.0F;
    std::vector<std::uint8_t> of_grain(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float byte = (values[i] - low) * scale;
        of_grain[i] = static_cast<std::uint8_t>(byte > 0 ? std::min(byte, 255.0F) + 0.5F : 0.0F);  // NaN becomes 0
    }
    const Population& population = *picture.population;
    if (manner.one_in <= 1 && population.grain_of.empty()) {
        return of_grain;
    }
    std::vector<std::uint8_t> out;
    for_sent(population, manner.one_in, [&](std::size_t s) { out.push_back(of_grain[population.grain(s)]); });
    return out;
}

Json to_json(const Vec3d& v) {
    return {v.x, v.y, v.z};
}

Json to_json(const WallPose& pose) {
    Json rotation = Json::array();
    for (const Vec3d& row : pose.rotation.row) {
        rotation.insert(rotation.end(), {row.x, row.y, row.z});
    }
    return {{"wall", pose.wall}, {"position", to_json(pose.position)}, {"rotation", rotation}};
}

}  // namespace

Message population_message(const Population& population, std::uint32_t one_in) {
    std::vector<std::uint32_t> id;
    std::vector<float> radius;
    for_sent(population, one_in, [&](std::size_t s) {
        id.push_back(static_cast<std::uint32_t>(population.id[population.grain(s)]));
        radius.push_back(population.radius[s]);
    });
    MessageWriter writer;
    writer.add("id", id);
    writer.add("radius", radius);
    return writer.close(
        {{"type", "grains"}, {"grains", population.id.size()}, {"spheres", population.spheres()}, {"one_in", one_in}});
}

Message picture_message(const Picture& picture, const Manner& manner) {
    MessageWriter writer;
    Json header = {{"type", "picture"},
                   {"time", picture.time},
                   {"step", picture.step},
                   {"frame", picture.frame},
                   {"stage", picture.stage},
                   {"field", manner.field},
                   {"origin", to_json(picture.origin)}};
    const std::vector<float> xyz = thinned(picture, manner.one_in);
    const Box box = box_of(xyz);
    header["low"] = box.low;
    header["high"] = box.high;
    float extent = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        extent = std::max(extent, box.high[k] - box.low[k]);
    }
    constexpr float finest = 0.02F;  // of the smallest radius: no eye sees less
    if (extent / 65535.0F <= finest * picture.population->smallest) {
        writer.add("position", in_sixteen_bits(xyz, box));
    } else {
        writer.add("position", xyz);
    }
    const auto values = picture.fields.find(manner.field);
    if (values != picture.fields.end()) {
        const auto [least, most] = range_of(values->second);
        const float low = manner.has_range ? manner.low : least, high = manner.has_range ? manner.high : most;
        writer.add("colour", colours(picture, manner, values->second, low, high));
        header["range"] = {low, high};
        header["spread"] = {least, most};
    }
    if (manner.chains && picture.chains) {
        writer.add("chains", picture.chains->ends);
        writer.add("chain_force", picture.chains->force);
    }
    header["poses"] = Json::array();
    for (const WallPose& pose : picture.poses) {
        header["poses"].push_back(to_json(pose));
    }
    const auto grain = picture.grains.find(manner.grain);
    if (grain != picture.grains.end()) {
        header["grain"] = grain->second;
    }
    return writer.close(std::move(header));
}

}  // namespace talus::server
