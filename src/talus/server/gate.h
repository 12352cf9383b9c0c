// Who may come in. A page of another origin must reach neither the files nor the stream, whatever name it gave this
// machine (DNS rebinding, cross-site WebSockets); beyond the loopback address a secret is asked for.
#pragma once

#include <string>
#include <string_view>

namespace talus::server {

class Gate {
public:
    /// `address` as bound to; without `token` the loopback names alone are answered to.
    Gate(const std::string& address, std::string token);

    /// Whether the Host header names this server, at whatever port: a forwarded one has another number at its far end.
    /// Away from the loopback any name will do: the secret is what counts.
    bool knows_host(std::string_view host) const;
    /// Whether a page of this origin may open the stream: only one that came from here. Browsers always say.
    bool knows_origin(std::string_view origin, std::string_view host) const;
    /// Whether the query of a request holds the token, if one is asked for.
    bool knows_token(std::string_view query) const;
    const std::string& token() const { return token_; }

private:
    std::string address_;
    std::string token_;
};

/// 32 hexadecimal digits from the system's source of randomness.
std::string random_token();
/// Whether an address is this machine's own, reached from nowhere else: 127.0.0.0/8 or ::1.
bool is_loopback(std::string_view address);

}  // namespace talus::server
