#include "talus/server/message.h"

#include <bit>
#include <utility>

namespace talus::server {

static_assert(std::endian::native == std::endian::little, "arrays travel as they lie in memory");

namespace {

void pad(std::string& bytes, char with) {
    bytes.append((4 - bytes.size() % 4) % 4, with);
}

}  // namespace

void MessageWriter::add(const char* name, const char* type, std::size_t count, const void* values, std::size_t size) {
    arrays_.push_back({{"name", name}, {"type", type}, {"at", bytes_.size()}, {"count", count}});
    bytes_.append(static_cast<const char*>(values), count * size);
    pad(bytes_, '\0');
}

Message MessageWriter::close(Json header) const {
    header["arrays"] = arrays_;
    // Names may hold bytes that are not UTF-8; a number that is none (NaN) becomes null.
    std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
    pad(text, ' ');
    const auto length = static_cast<std::uint32_t>(text.size());
    auto message = std::make_shared<std::string>();
    message->reserve(4 + text.size() + bytes_.size());
    message->append(reinterpret_cast<const char*>(&length), 4);
    message->append(text);
    message->append(bytes_);
    return message;
}

Message plain_message(Json header) {
    return MessageWriter().close(std::move(header));
}

}  // namespace talus::server
