#include "talus/render/frame_choice.h"

#include <cmath>
#include <optional>

#include "talus/base/diagnostics.h"
#include "talus/base/numbers.h"

namespace talus::render {
namespace {

[[noreturn]] void refuse(const std::string& text) {
    throw base::InputError("--frames: \"" + text +
                           "\" names no frames; expected a number (-1 is the last), a part as 50%, or a row as 0:-1 or "
                           "0:-1:5");
}

}  // namespace

std::vector<std::filesystem::path> choose_frames(const std::vector<std::filesystem::path>& frames,
                                                 const std::string& text) {
    const auto count = static_cast<long>(frames.size());
    const auto index = [&](const std::string& word) {
        std::optional<long> value = base::whole_number_from(word);
        if (!word.empty() && word.back() == '%') {
            const std::optional<long> percent = base::whole_number_from(word.substr(0, word.size() - 1));
            if (percent && *percent >= 0 && *percent <= 100) {
                value = std::lround(static_cast<double>(*percent * (count - 1)) / 100);
            }
        }
        if (!value) {
            refuse(text);
        }
        const long at = *value < 0 ? *value + count : *value;
        if (at < 0 || at >= count) {
            throw base::InputError("--frames: there is no frame " + std::to_string(*value) +
                                   "; there are frames 0 to " + std::to_string(count - 1));
        }
        return at;
    };
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        return {frames[static_cast<std::size_t>(index(text))]};
    }
    const std::size_t second = text.find(':', colon + 1);
    const long from = index(text.substr(0, colon));
    const long to = index(text.substr(colon + 1, second == std::string::npos ? second : second - colon - 1));
    const std::optional<long> step =
        second == std::string::npos ? 1L : base::whole_number_from(text.substr(second + 1));
    if (!step || *step < 1 || from > to) {
        refuse(text);
    }
    std::vector<std::filesystem::path> out;
    for (long i = from; i <= to; i += *step) {
        out.push_back(frames[static_cast<std::size_t>(i)]);
    }
    return out;
}

}  // namespace talus::render
