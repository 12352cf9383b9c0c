// Reads a .vtp file by hand, so that tests see what ParaView would: well-formed head, arrays where the head says.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "talus/output/atomic_file.h"

namespace talus::test {

struct XmlTag {
    std::string name;
    std::map<std::string, std::string> attributes;
};

/// All opening tags of a text in order; throws if tags are not closed in the right order.
inline std::vector<XmlTag> parse_xml(const std::string& text) {
    std::vector<XmlTag> tags;
    std::vector<std::string> open;
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
        const std::size_t end = text.find('>', at);
        if (end == std::string::npos) {
            throw std::runtime_error("tag without end");
        }
        std::string body = text.substr(at + 1, end - at - 1);
        if (body.starts_with("?")) {
            continue;
        }
        if (body.starts_with("/")) {
            if (open.empty() || open.back() != body.substr(1)) {
                throw std::runtime_error("unexpected </" + body.substr(1) + ">");
            }
            open.pop_back();
            continue;
        }
        XmlTag tag;
        const std::size_t space = body.find_first_of(" /");
        tag.name = body.substr(0, space);
        for (std::size_t from = body.find(' '); from != std::string::npos;) {
            const std::size_t equal = body.find("=\"", from);
            if (equal == std::string::npos) {
                break;
            }
            const std::size_t close = body.find('"', equal + 2);
            tag.attributes[body.substr(from + 1, equal - from - 1)] = body.substr(equal + 2, close - equal - 2);
            from = body.find(' ', close);
        }
        if (body.back() != '/') {
            open.push_back(tag.name);
        }
        tags.push_back(tag);
    }
    if (!open.empty()) {
        throw std::runtime_error("<" + open.back() + "> is not closed");
    }
    return tags;
}

struct VtpArray {
    std::string section;  // "Points", "PointData", "Verts", ...
    std::string type;
    std::size_t components = 1;
    std::vector<double> values;
};

struct VtpFile {
    std::map<std::string, std::size_t> counts;  // NumberOfPoints and so on
    std::map<std::string, VtpArray> arrays;     // "PointData/radius"
    const VtpArray& operator[](const std::string& name) const { return arrays.at(name); }
};

inline VtpFile read_vtp(const std::filesystem::path& path) {
    const std::string text = output::read_text_file(path);
    const std::string mark = "<AppendedData encoding=\"raw\">\n_";
    const std::size_t data = text.find(mark) + mark.size();
    const std::string tail = "\n</AppendedData>\n</VTKFile>\n";
    if (!text.ends_with(tail)) {
        throw std::runtime_error("no end of file");
    }
    VtpFile out;
    std::size_t expected = 0;
    std::string section;
    for (const XmlTag& tag : parse_xml(text.substr(0, data) + tail)) {
        if (tag.name == "Piece") {
            for (const auto& [name, value] : tag.attributes) {
                out.counts[name] = std::stoul(value);
            }
        } else if (tag.name != "DataArray") {
            section = tag.name;
        } else if (tag.attributes.at("format") == "appended") {
            VtpArray array{section, tag.attributes.at("type"), std::stoul(tag.attributes.at("NumberOfComponents")), {}};
            const std::size_t offset = std::stoul(tag.attributes.at("offset"));
            EXPECT_EQ(offset, expected) << tag.attributes.at("Name");
            std::uint64_t size = 0;
            std::memcpy(&size, text.data() + data + offset, sizeof(size));
            expected = offset + sizeof(size) + size;
            const char* from = text.data() + data + offset + sizeof(size);
            const auto convert = [&]<class T>(T) {
                for (std::size_t i = 0; i < size / sizeof(T); ++i) {
                    T value;
                    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
                    array.values.push_back(static_cast<double>(value));
                }
            };
            if (array.type == "Float64") {
                convert(double{});
            } else if (array.type == "Int64") {
                convert(std::int64_t{});
            } else {
                convert(std::int32_t{});
            }
            out.arrays[section + "/" + tag.attributes.at("Name")] = array;
        }
    }
    EXPECT_EQ(data + expected + tail.size(), text.size());
    return out;
}

}  // namespace talus::test
