// Serves the page and the stream of an Exchange to browsers, in a thread of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "talus/server/exchange.h"

namespace talus::server {

struct ServerOptions {
    std::string address = "127.0.0.1";  // to listen at; beyond the loopback a token is always asked for
    std::uint16_t port = 0;             // 0: the usual one, or a free one if that is taken
    bool token = false;                 // ask for a token at the loopback address too
    std::filesystem::path page;         // folder of the built page
};

class Server {
public:
    /// Listens from now on; base::InputError if it cannot.
    Server(const ServerOptions& options, Exchange& exchange);
    /// Closes every connection and waits for the thread, which takes moments.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// To be opened in a browser, with the token if there is one.
    const std::string& url() const { return url_; }

    static constexpr std::uint16_t usual_port = 8377;

private:
    class Listener;
    std::unique_ptr<Listener> listener_;
    std::string url_;
};

}  // namespace talus::server
