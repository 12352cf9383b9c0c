// Meshes from PLY files, text or binary of either byte order: the points of its vertices and the corners of its faces.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "talus/geometry/mesh_parts.h"

namespace talus::geometry::detail {

namespace {

enum class Type : std::uint8_t { i8, u8, i16, u16, i32, u32, f32, f64 };

constexpr std::array<std::pair<std::string_view, Type>, 16> type_names = {{{"char", Type::i8},
                                                                           {"int8", Type::i8},
                                                                           {"uchar", Type::u8},
                                                                           {"uint8", Type::u8},
                                                                           {"short", Type::i16},
                                                                           {"int16", Type::i16},
                                                                           {"ushort", Type::u16},
                                                                           {"uint16", Type::u16},
                                                                           {"int", Type::i32},
                                                                           {"int32", Type::i32},
                                                                           {"uint", Type::u32},
                                                                           {"uint32", Type::u32},
                                                                           {"float", Type::f32},
                                                                           {"float32", Type::f32},
                                                                           {"double", Type::f64},
                                                                           {"float64", Type::f64}}};

constexpr std::size_t size_of(Type type) {
    switch (type) {
        case Type::i8:
        case Type::u8:
            return 1;
        case Type::i16:
        case Type::u16:
            return 2;
        case Type::f64:
            return 8;
        default:
            return 4;
    }
}

struct Property {
    std::string_view name;
    Type type = Type::f32;
    std::optional<Type> count;  // of a list, the type of its length
};

struct Element {
    std::string_view name;
    std::size_t count = 0;
    std::vector<Property> properties;
};

enum class Format : std::uint8_t { text, little, big };

/// Numbers one after another, from words or from bytes.
class Values {
public:
    Values(const std::string& path, std::string_view rest, Format format) : path_(path), rest_(rest), format_(format) {}

    double next(Type type) { return format_ == Format::text ? word() : bytes(type); }

private:
    [[noreturn]] void truncated() const { refuse_mesh(path_, "ends before all that its header promises"); }

    double word() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
        const std::string_view word = rest_.substr(0, std::min(rest_.find_first_of(" \t\r\n"), rest_.size()));
        if (word.empty()) {
            truncated();
        }
        rest_.remove_prefix(word.size());
        double value = 0;
        const auto [end, fail] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (fail != std::errc() || end != word.data() + word.size()) {
            refuse_mesh(path_, fmt::format("has \"{}\" where a number is expected", word.substr(0, 40)));
        }
        return value;
    }
    double bytes(Type type) {
        const std::size_t size = size_of(type);
        if (rest_.size() < size) {
            truncated();
        }
        std::uint64_t bits = 0;
        for (std::size_t k = 0; k < size; ++k) {
            const auto byte = static_cast<unsigned char>(rest_[format_ == Format::little ? size - 1 - k : k]);
            bits = (bits << 8U) | byte;
        }
        rest_.remove_prefix(size);
        switch (type) {
            case Type::i8:
                return static_cast<std::int8_t>(bits);
            case Type::i16:
                return static_cast<std::int16_t>(bits);
            case Type::i32:
                return static_cast<std::int32_t>(bits);
            case Type::f32:
                return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
            case Type::f64:
                return std::bit_cast<double>(bits);
            default:
                return static_cast<double>(bits);
        }
    }

    const std::string& path_;
    std::string_view rest_;
    Format format_;
};

/// The lines up to `end_header`, and what follows them.
class Header {
public:
    Header(const std::string& path, std::string_view bytes) : path_(path), rest_(bytes) {
        if (line() != std::vector<std::string_view>{"ply"}) {
            refuse_mesh(path_, "is no PLY file: its first line is not \"ply\"");
        }
        for (auto words = line(); words.empty() || words[0] != "end_header"; words = line()) {
            take(words);
        }
        if (!format) {
            refuse_mesh(path_, "has no format in its header");
        }
    }

    std::optional<Format> format;
    std::vector<Element> elements;
    std::string_view rest() const { return rest_; }

private:
    std::vector<std::string_view> line() {
        const std::size_t end = rest_.find('\n');
        if (end == std::string_view::npos) {
            refuse_mesh(path_, "has no end of its header");
        }
        std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        std::vector<std::string_view> words;
        for (;;) {
            text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
            if (text.empty()) {
                return words;
            }
            words.push_back(text.substr(0, std::min(text.find_first_of(" \t\r"), text.size())));
            text.remove_prefix(words.back().size());
        }
    }
    Type type(std::string_view name) const {
        const auto* const found =
            std::find_if(type_names.begin(), type_names.end(), [&](const auto& t) { return t.first == name; });
        if (found == type_names.end()) {
            refuse_mesh(path_, fmt::format("has a property of the unknown type \"{}\"", name));
        }
        return found->second;
    }
    void take(const std::vector<std::string_view>& words) {
        if (words.empty() || words[0] == "comment" || words[0] == "obj_info") {
            return;
        }
        if (words[0] == "format" && words.size() >= 2) {
            format = words[1] == "ascii"                  ? std::optional(Format::text)
                     : words[1] == "binary_little_endian" ? std::optional(Format::little)
                     : words[1] == "binary_big_endian"    ? std::optional(Format::big)
                                                          : std::nullopt;
        } else if (words[0] == "element" && words.size() == 3) {
            Element element{words[1], 0, {}};
            const auto [end, fail] = std::from_chars(words[2].data(), words[2].data() + words[2].size(), element.count);
            if (fail != std::errc() || end != words[2].data() + words[2].size()) {
                refuse_mesh(path_, fmt::format("has \"{}\" as a number of elements", words[2]));
            }
            elements.push_back(element);
        } else if (words[0] == "property" && words.size() == 3 && !elements.empty()) {
            elements.back().properties.push_back({words[2], type(words[1]), std::nullopt});
        } else if (words[0] == "property" && words.size() == 5 && words[1] == "list" && !elements.empty()) {
            elements.back().properties.push_back({words[4], type(words[3]), type(words[2])});
        } else {
            refuse_mesh(path_, fmt::format("has a line in its header that begins with \"{}\" and cannot be understood",
                                           words[0].substr(0, 40)));
        }
    }

    const std::string& path_;
    std::string_view rest_;
};

/// Reads the elements in turn.
class Body {
public:
    Body(const std::string& path, const Header& header)
        : path_(path), values_(path, header.rest(), *header.format), soup_(path) {
        for (const Element& element : header.elements) {
            for (std::size_t n = 0; n < element.count && !element.properties.empty(); ++n) {
                take(element);
            }
        }
    }
    ReadMesh result() { return soup_.take(); }

private:
    void take(const Element& element) {
        Vec3d at;
        for (const Property& property : element.properties) {
            if (property.count) {
                take_list(property, element.name == "face");
                continue;
            }
            const double value = values_.next(property.type);
            const std::size_t axis = std::string_view("xyz").find(property.name);
            if (property.name.size() == 1 && axis != std::string_view::npos) {
                at[static_cast<int>(axis)] = value;
            }
        }
        if (element.name == "vertex") {
            points_.push_back(at);
        }
    }
    void take_list(const Property& property, bool of_face) {
        const bool corners = of_face && (property.name == "vertex_indices" || property.name == "vertex_index");
        const double length = values_.next(*property.count);
        for (double k = 0; k < length; ++k) {
            const double index = values_.next(property.type);
            if (!corners) {
                continue;
            }
            if (!(index >= 0 && index < static_cast<double>(points_.size()))) {
                refuse_mesh(path_, fmt::format("has no point {}, which a face names", index));
            }
            soup_.corner(points_[static_cast<std::size_t>(index)]);
        }
        if (corners) {
            if (soup_.corners() < 3) {
                refuse_mesh(path_, "has a face with fewer than three points");
            }
            soup_.close();
        }
    }

    const std::string& path_;
    Values values_;
    std::vector<Vec3d> points_;
    Soup soup_;
};

}  // namespace

ReadMesh read_ply(const std::string& path, std::string_view bytes) {
    return Body(path, Header(path, bytes)).result();
}

}  // namespace talus::geometry::detail
