#include "talus/server/message.h"

#include <bit>
#include <utility>

namespace talus::server {

static_assert(std::endian::native == std::endian::little, "arrays travel as they lie in memory");

char* MessageWriter::room(const char* name, const char* type, std::size_t count, std::size_t size) {
    const std::size_t at = bytes_.size();
    arrays_.push_back({{"name", name}, {"type", type}, {"at", at}, {"count", count}});
    bytes_.resize(at + (count * size + 3) / 4 * 4);
    return bytes_.data() + at;
}

Message MessageWriter::close(Json header) {
    header["arrays"] = std::exchange(arrays_, Json::array());
    // Names may hold bytes that are not UTF-8; a number that is none (NaN) becomes null.
    std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.append((4 - text.size() % 4) % 4, ' ');
    const auto length = static_cast<std::uint32_t>(text.size());
    auto message = std::make_shared<MessageParts>();
    message->head.assign(reinterpret_cast<const char*>(&length), 4);
    message->head += text;
    message->body = std::exchange(bytes_, {});
    return message;
}

Message plain_message(Json header) {
    return MessageWriter().close(std::move(header));
}

Json to_json(const math::Vec3d& v) {
    return {v.x, v.y, v.z};
}

Json to_json(const math::Mat3d& m) {
    Json out = Json::array();
    for (const math::Vec3d& row : m.row) {
        out.insert(out.end(), {row.x, row.y, row.z});
    }
    return out;
}

}  // namespace talus::server
