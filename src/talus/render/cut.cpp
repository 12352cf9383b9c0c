#include "talus/render/cut.h"

#include <algorithm>
#include <optional>

#include "talus/base/diagnostics.h"
#include "talus/base/numbers.h"

namespace talus::render {
namespace {

std::string without_spaces(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
}

std::optional<Vec3d> triple_from(const std::string& text) {
    Vec3d out;
    std::size_t begin = 0;
    for (int k = 0; k < 3; ++k) {
        const std::size_t end = text.find(',', begin);
        if ((end == std::string::npos) != (k == 2)) {
            return std::nullopt;
        }
        const std::optional<double> value = base::number_from(text.substr(begin, end - begin));
        if (!value) {
            return std::nullopt;
        }
        out[k] = *value;
        begin = end + 1;
    }
    return out;
}

}  // namespace

Vec3d triple_from_text(const std::string& text, const std::string& what) {
    const std::optional<Vec3d> out = triple_from(without_spaces(text));
    if (!out) {
        throw base::InputError(what + ": \"" + text + "\" is not three numbers with commas between");
    }
    return *out;
}

CutPlane cut_from_text(const std::string& written, const output::Bounds& grains) {
    const std::string text = without_spaces(written);
    const std::size_t sign = text.find_first_of("<>");
    if (sign != std::string::npos) {
        const std::string left = text.substr(0, sign);
        const std::string right = text.substr(sign + 1);
        std::optional<Vec3d> normal = triple_from(left);
        for (int k = 0; k < 3; ++k) {
            if (left == std::string(1, "xyz"[k])) {
                normal.emplace();
                (*normal)[k] = 1;
            }
        }
        std::optional<double> offset = base::number_from(right);
        if (normal && right == "middle" && !grains.empty()) {
            offset = math::dot(*normal, (grains.low + grains.high) * 0.5);
        }
        if (normal && offset && math::norm(*normal) > 0) {
            const double length = math::norm(*normal) * (text[sign] == '<' ? 1 : -1);
            return {*normal / length, *offset / length};
        }
    }
    throw base::InputError("--cut: \"" + written +
                           "\" is no cut; expected what is to go, as y<0, z>0.1, x<middle or 1,0,-1<0.2 (m)");
}

}  // namespace talus::render
