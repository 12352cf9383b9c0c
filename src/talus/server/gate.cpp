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

/// The name in a Host header; nothing if what follows it is no port.
std::string_view without_port(std::string_view host) {
    const std::size_t colon = host.find(':', host.starts_with('[') ? host.find(']') : 0);
    if (colon == std::string_view::npos) {
        return host;
    }
    const std::string_view port = host.substr(colon + 1);
    return port.find_first_not_of("0123456789") == std::string_view::npos ? host.substr(0, colon) : std::string_view();
}

}  // namespace

Gate::Gate(const std::string& address, std::string token)
    : address_(address.find(':') == std::string::npos ? address : "[" + address + "]"), token_(std::move(token)) {}

bool Gate::knows_host(std::string_view host) const {
    if (!token_.empty() && !is_loopback(address_)) {
        return true;
    }
    const std::string_view name = without_port(host);
    return name == address_ || name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

bool Gate::knows_origin(std::string_view origin, std::string_view host) const {
    // Something in front of this server may speak https for it.
    return !host.empty() && (origin == fmt::format("http://{}", host) || origin == fmt::format("https://{}", host));
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
