// The one form of everything that a viewer receives: a JSON header and arrays of numbers behind it (docs/view.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "talus/math/mat3.h"
#include "talus/math/vec3.h"

namespace talus::server {

using Json = nlohmann::json;

/// Sent one behind the other as one message; kept apart, since the head is known last and the body may be long.
struct MessageParts {
    std::string head;  // the length of the header, and the header
    std::string body;  // the arrays

    std::string whole() const { return head + body; }
};
/// Shared, since one message may be on its way to several viewers.
using Message = std::shared_ptr<const MessageParts>;

/// Gathers arrays, then closes them with a header that says where each lies. Arrays begin at multiples of four bytes,
/// so that a browser can look at them in place.
class MessageWriter {
public:
    /// Room for an array, to be filled before the next one is asked for.
    template <class T>
    T* room(const char* name, std::size_t count) {
        return reinterpret_cast<T*>(room(name, type_name<T>(), count, sizeof(T)));
    }
    template <class T>
    void add(const char* name, std::span<const T> values) {
        std::copy(values.begin(), values.end(), room<T>(name, values.size()));
    }
    template <class T>
    void add(const char* name, const std::vector<T>& values) {
        add(name, std::span<const T>(values));
    }
    /// `header` is an object; its member "arrays" is set here. The writer is empty afterwards.
    Message close(Json header);

private:
    template <class T>
    static constexpr const char* type_name() {
        static_assert(std::is_same_v<T, float> || (std::is_unsigned_v<T> && sizeof(T) <= 4));
        return std::is_same_v<T, float> ? "f32" : sizeof(T) == 4 ? "u32" : sizeof(T) == 2 ? "u16" : "u8";
    }
    char* room(const char* name, const char* type, std::size_t count, std::size_t size);

    Json arrays_ = Json::array();
    std::string bytes_;
};

/// A header without arrays.
Message plain_message(Json header);

/// [x, y, z].
Json to_json(const math::Vec3d& v);
/// Nine numbers, row by row.
Json to_json(const math::Mat3d& m);

}  // namespace talus::server
