#include "talus/server/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::server {

namespace {

/// Calls `f(sphere)` for those that are sent.
template <class F>
void for_sent(const Population& population, std::uint32_t one_in, F f) {
    for (std::size_t s = 0; s < population.spheres(); ++s) {
        if (one_in <= 1 || population.id[population.grain(s)] % one_in == 0) {
            f(s);
        }
    }
}

std::size_t sent(const Population& population, std::uint32_t one_in) {
    std::size_t count = 0;
    for_sent(population, one_in, [&](std::size_t) { ++count; });
    return count;
}

/// The nearest whole number from 0 to `most`; what is no number becomes 0.
template <class Whole>
Whole whole(float value, float most) {
    return static_cast<Whole>(value > 0 ? std::min(value, most) + 0.5F : 0.0F);
}

void add_positions(MessageWriter& writer, const Picture& picture, std::uint32_t one_in) {
    const std::size_t count = 3 * sent(*picture.population, one_in);
    const Box& box = picture.box;
    std::array<float, 3> scale{};
    float widest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const float extent = box.high[k] - box.low[k];
        scale[k] = extent > 0 ? 65535.0F / extent : 0.0F;
        widest = std::max(widest, extent);
    }
    constexpr float finest = 0.02F;  // of the smallest radius: no eye sees less
    if (widest / 65535.0F <= finest * picture.population->smallest) {
        auto* out = writer.room<std::uint16_t>("position", count);
        for_sent(*picture.population, one_in, [&](std::size_t s) {
            for (std::size_t k = 0; k < 3; ++k) {
                *out++ = whole<std::uint16_t>((picture.position[3 * s + k] - box.low[k]) * scale[k], 65535.0F);
            }
        });
    } else {
        auto* out = writer.room<float>("position", count);
        for_sent(*picture.population, one_in, [&](std::size_t s) {
            out = std::copy_n(picture.position.begin() + static_cast<std::ptrdiff_t>(3 * s), 3, out);
        });
    }
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

void add_colours(MessageWriter& writer, const Population& population, std::uint32_t one_in,
                 const std::vector<float>& values, float low, float high) {
    const float scale = high > low ? 255.0F / (high - low) : 0.0F;
    auto* out = writer.room<std::uint8_t>("colour", sent(population, one_in));
    for_sent(population, one_in,
             [&](std::size_t s) { *out++ = whole<std::uint8_t>((values[population.grain(s)] - low) * scale, 255.0F); });
}

void add_chains(MessageWriter& writer, const Chains& chains, std::uint32_t one_in) {
    const std::size_t count = std::min(chains.force.size(), Chains::most / std::max(1U, one_in));
    writer.add("chains", std::span(chains.ends).first(6 * count));
    writer.add("chain_force", std::span(chains.force).first(count));
}

}  // namespace

Box box_of(std::span<const float> xyz) {
    constexpr float far = std::numeric_limits<float>::max();
    Box box{{far, far, far}, {-far, -far, -far}};
    for (std::size_t i = 0; i < xyz.size(); ++i) {
        if (std::abs(xyz[i]) <= far) {
            box.low[i % 3] = std::min(box.low[i % 3], xyz[i]);
            box.high[i % 3] = std::max(box.high[i % 3], xyz[i]);
        }
    }
    for (std::size_t k = 0; k < 3; ++k) {
        if (box.low[k] > box.high[k]) {
            box.low[k] = box.high[k] = 0;
        }
    }
    return box;
}

Message population_message(const Population& population, std::uint32_t one_in) {
    const std::size_t count = sent(population, one_in);
    MessageWriter writer;
    auto* id = writer.room<std::uint32_t>("id", count);
    for_sent(population, one_in,
             [&](std::size_t s) { *id++ = static_cast<std::uint32_t>(population.id[population.grain(s)]); });
    auto* radius = writer.room<float>("radius", count);
    for_sent(population, one_in, [&](std::size_t s) { *radius++ = population.radius[s]; });
    return writer.close({{"type", "grains"}, {"grains", population.id.size()}, {"one_in", one_in}});
}

Message picture_message(const Picture& picture, const Manner& manner) {
    MessageWriter writer;
    Json header = {{"type", "picture"},
                   {"time", picture.time},
                   {"step", picture.step},
                   {"frame", picture.frame},
                   {"stage", picture.stage},
                   {"field", manner.field},
                   {"origin", to_json(picture.origin)},
                   {"low", picture.box.low},
                   {"high", picture.box.high},
                   {"poses", Json::array()}};
    add_positions(writer, picture, manner.one_in);
    const auto values = picture.fields.find(manner.field);
    if (values != picture.fields.end() && values->second.size() == picture.population->id.size()) {
        const auto [least, most] = range_of(values->second);
        const float low = manner.has_range ? manner.low : least, high = manner.has_range ? manner.high : most;
        add_colours(writer, *picture.population, manner.one_in, values->second, low, high);
        header["range"] = {low, high};
        header["spread"] = {least, most};
    }
    if (manner.chains && picture.chains) {
        add_chains(writer, *picture.chains, manner.one_in);
    }
    for (const WallPose& pose : picture.poses) {
        header["poses"].push_back(
            {{"wall", pose.wall}, {"position", to_json(pose.position)}, {"rotation", to_json(pose.rotation)}});
    }
    const auto grain = picture.grains.find(manner.grain);
    if (grain != picture.grains.end()) {
        header["grain"] = grain->second;
    }
    if (!picture.fault.empty()) {
        header["fault"] = picture.fault;
    }
    return writer.close(std::move(header));
}

Message SharedMessages::of(const std::shared_ptr<const Population>& population, std::uint32_t one_in) {
    if (population != population_) {
        population_ = population;
        populations_.clear();
    }
    Message& message = populations_[one_in];
    if (!message) {
        message = population_message(*population, one_in);
    }
    return message;
}

Message SharedMessages::of(const std::shared_ptr<const Picture>& picture, const Manner& manner) {
    if (picture != picture_) {
        picture_ = picture;
        pictures_.clear();
    }
    const auto found =
        std::find_if(pictures_.begin(), pictures_.end(), [&](const auto& entry) { return entry.first == manner; });
    if (found != pictures_.end()) {
        return found->second;
    }
    constexpr std::size_t most = 16;  // a viewer who keeps changing its mind must not fill the memory
    if (pictures_.size() >= most) {
        pictures_.clear();
    }
    pictures_.emplace_back(manner, picture_message(*picture, manner));
    return pictures_.back().second;
}

}  // namespace talus::server
