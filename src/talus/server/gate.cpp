#include "talus/server/gate.h"

#include <fmt/format.h>

#include <random>
#include <utility>

namespace talus::server {

namespace {

/// Takes as long whichever character differs.
bool same_secret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) {
        return false;
    }
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
    }
    return difference == 0;
}

}  // namespace

Gate::Gate(const std::string& address, std::uint16_t port, std::string token)
    : address_(address.find(':') == std::string::npos ? address : "[" + address + "]"),
      port_(std::to_string(port)),
      token_(std::move(token)) {}

bool Gate::knows_host(std::string_view host) const {
    if (!token_.empty() && !is_loopback(address_)) {
        return true;
    }
    const std::string port = ":" + port_;
    for (const std::string& name :
         {address_, std::string("localhost"), std::string("127.0.0.1"), std::string("[::1]")}) {
        if (host == name + port || (port_ == "80" && host == name)) {
            return true;
        }
    }
    return false;
}

bool Gate::knows_origin(std::string_view origin, std::string_view host) const {
    return !host.empty() && origin == fmt::format("http://{}", host);
}

bool Gate::knows_token(std::string_view query) const {
    if (token_.empty()) {
        return true;
    }
    constexpr std::string_view key = "token=";
    return query.starts_with(key) && same_secret(query.substr(key.size()), token_);
}

std::string random_token() {
    std::random_device source;  // the system's: getrandom, or the processor's own
    std::string token;
    for (int i = 0; i < 4; ++i) {
        token += fmt::format("{:08x}", source());
    }
    return token;
}

bool is_loopback(std::string_view address) {
    return address.starts_with("127.") || address == "::1" || address == "[::1]";
}

}  // namespace talus::server
