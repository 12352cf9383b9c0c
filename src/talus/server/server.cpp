#include "talus/server/server.h"

#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/host_name.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <map>
#include <thread>
#include <utility>

#include "talus/base/clocks.h"
#include "talus/base/diagnostics.h"
#include "talus/server/connection.h"
#include "talus/server/gate.h"
#include "talus/server/keep_serving.h"
#include "talus/server/page_files.h"
#include "talus/server/viewer.h"

namespace talus::server {

namespace {

using asio::ip::tcp;

constexpr int most_connections = 256;
constexpr std::size_t most_viewers = 16;

constexpr std::chrono::milliseconds farewell{300};  // for the last news to leave
constexpr std::chrono::milliseconds glance{5};      // between looks whether everybody is gone

/// Listens at the port, or where that is nobody's wish at a free one if it is taken.
tcp::acceptor listen(asio::io_context& context, const ServerOptions& options) {
    beast::error_code error;
    const auto address = asio::ip::make_address(options.address, error);
    if (error) {
        throw base::InputError(
            fmt::format("\"{}\" is not an address of a network (such as 127.0.0.1)", options.address));
    }
    for (const std::uint16_t port : {options.port != 0 ? options.port : Server::usual_port, options.port}) {
        tcp::acceptor acceptor(context);
        const tcp::endpoint endpoint(address, port);
        acceptor.open(endpoint.protocol(), error);
        if (!error) {
            acceptor.set_option(asio::socket_base::reuse_address(true), error);
            acceptor.bind(endpoint, error);
        }
        if (!error) {
            acceptor.listen(asio::socket_base::max_listen_connections, error);
        }
        if (!error) {
            return acceptor;
        }
    }
    throw base::InputError(fmt::format("cannot listen at {} port {}: {}", options.address,
                                       options.port != 0 ? options.port : Server::usual_port, error.message()));
}

std::string url_of(const tcp::endpoint& endpoint, const std::string& token) {
    std::string address = endpoint.address().to_string();
    if (endpoint.address().is_unspecified()) {  // every address of this machine: its name is one that others can use
        address = asio::ip::host_name();
    }
    // Behind a '#' the token stays in the browser: it is in no log and no Referer.
    return fmt::format("http://{}:{}/{}", address.find(':') != std::string::npos ? "[" + address + "]" : address,
                       endpoint.port(), token.empty() ? "" : "#token=" + token);
}

}  // namespace

class Server::Listener {
public:
    Listener(const ServerOptions& options, Exchange& exchange)
        : page_(options.page),
          exchange_(exchange),
          acceptor_(listen(context_, options)),
          gate_(options.address, options.token || !is_loopback(options.address) ? random_token() : std::string()),
          pause_(context_) {
        exchange_.on_news([this] {
            if (!woken_.exchange(true)) {
                asio::post(context_, [this] { refresh(); });
            }
        });
        accept();
        // Signals belong to the thread that runs: it must hear of them at once.
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        thread_ = std::thread([this] { serve(); });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    ~Listener() {
        exchange_.on_news({});
        asio::post(context_, [this] {
            beast::error_code ignored;
            acceptor_.close(ignored);
            for_viewers([](Viewer& viewer) { viewer.finish(); });
            leave_by(std::chrono::steady_clock::now() + farewell);
        });
        thread_.join();
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    std::string url() const { return url_of(acceptor_.local_endpoint(), gate_.token()); }

private:
    void serve() {
        keep_serving(
            context_,
            // Those who look are dropped, and may come again.
            [this] { for_viewers([](Viewer& viewer) { viewer.close(); }); },
            [this] { exchange_.set_serving_seconds(base::thread_seconds()); });
    }
    template <class F>
    void for_viewers(F f) {
        for (const auto& [id, viewer] : viewers_) {
            if (const auto here = viewer.lock()) {
                f(*here);
            }
        }
    }
    /// Ends the thread when everybody is gone, or at that instant.
    void leave_by(std::chrono::steady_clock::time_point latest) {
        std::erase_if(viewers_, [](const auto& entry) { return entry.second.expired(); });
        if (viewers_.empty() || std::chrono::steady_clock::now() >= latest) {
            context_.stop();
            return;
        }
        pause_.expires_after(glance);
        pause_.async_wait([this, latest](beast::error_code) { leave_by(latest); });
    }
    void accept() {
        acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
            if (error == asio::error::operation_aborted) {
                return;
            }
            if (error) {  // out of file descriptors, say: asking again at once would only spin
                pause_.expires_after(std::chrono::milliseconds(200));
                pause_.async_wait([this](beast::error_code stopped) {
                    if (!stopped) {
                        accept();
                    }
                });
                return;
            }
            accept();
            if (house_.connections < most_connections) {
                socket.set_option(tcp::no_delay(true), error);
                std::make_shared<Connection>(std::move(socket), house_)->start();
            }
        });
    }
    void open_stream(beast::tcp_stream&& stream, HttpRequest&& request) {
        const ViewerId id = ++last_id_;
        const auto viewer = std::make_shared<Viewer>(std::move(stream), exchange_, messages_, id);
        viewers_[id] = viewer;
        viewer->start(request);
    }
    void refresh() {
        woken_.store(false);
        for_viewers([](Viewer& viewer) { viewer.refresh(); });
    }
    bool has_room() {
        std::erase_if(viewers_, [](const auto& entry) { return entry.second.expired(); });
        return viewers_.size() < most_viewers;
    }

    PageFiles page_;
    Exchange& exchange_;
    // Outlives the context, whose last handlers let go of their connections.
    House house_{gate_, page_,
                 [this](beast::tcp_stream&& stream, HttpRequest&& request) {
                     open_stream(std::move(stream), std::move(request));
                 },
                 [this] { return has_room(); }};
    SharedMessages messages_;
    asio::io_context context_{1};
    tcp::acceptor acceptor_;
    Gate gate_;
    asio::steady_timer pause_;
    std::map<ViewerId, std::weak_ptr<Viewer>> viewers_;
    ViewerId last_id_ = 0;
    std::atomic<bool> woken_{false};  // news is on its way to the viewers
    std::thread thread_;
};

Server::Server(const ServerOptions& options, Exchange& exchange)
    : listener_(std::make_unique<Listener>(options, exchange)), url_(listener_->url()) {}

Server::~Server() = default;

}  // namespace talus::server
