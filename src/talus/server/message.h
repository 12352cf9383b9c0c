// The one form of everything that a viewer receives: a JSON header and arrays of numbers behind it (docs/view.md).
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace talus::server {

using Json = nlohmann::json;
/// Shared, since one message may be on its way to several viewers.
using Message = std::shared_ptr<const std::string>;

/// Gathers arrays, then closes them with a header that says where each lies. Arrays begin at multiples of four bytes,
/// so that a browser can look at them in place.
class MessageWriter {
public:
    void add(const char* name, std::span<const float> values) { add(name, "f32", values.size(), values.data(), 4); }
    void add(const char* name, std::span<const std::uint32_t> values) {
        add(name, "u32", values.size(), values.data(), 4);
    }
    void add(const char* name, std::span<const std::uint16_t> values) {
        add(name, "u16", values.size(), values.data(), 2);
    }
    void add(const char* name, std::span<const std::uint8_t> values) {
        add(name, "u8", values.size(), values.data(), 1);
    }
    /// `header` is an object; its member "arrays" is set here.
    Message close(Json header) const;

private:
    void add(const char* name, const char* type, std::size_t count, const void* values, std::size_t size);

    Json arrays_ = Json::array();
    std::string bytes_;
};

/// A header without arrays.
Message plain_message(Json header);

}  // namespace talus::server
