// One viewer: a WebSocket that gets what is new whenever it is ready for more, and never more than one picture ahead.
#pragma once

#include <array>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <deque>
#include <memory>

#include "talus/server/connection.h"
#include "talus/server/exchange.h"
#include "talus/server/thinning.h"

namespace talus::server {

namespace websocket = beast::websocket;

class Viewer : public std::enable_shared_from_this<Viewer> {
public:
    Viewer(beast::tcp_stream&& stream, Exchange& exchange, ViewerId id);
    ~Viewer();
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;

    void start(const HttpRequest& request);
    /// Sends whatever the exchange holds that this viewer has not got; called when something may be new.
    void refresh();
    void close();

private:
    void read();
    void on_read(beast::error_code error);
    /// False: the message makes no sense.
    bool take(const Json& message);
    bool look(const Json& message);
    /// The picture under way has arrived.
    void got();
    void ask();
    void send_picture(const Picture& picture);
    void send(Message message);
    void write();

    websocket::stream<beast::tcp_stream> socket_;
    Exchange& exchange_;
    Request request_;
    Manner manner_;
    beast::flat_buffer buffer_;
    std::deque<Message> outgoing_;
    bool open_ = false;
    std::array<std::uint64_t, topic_count> known_{};  // versions of the notices sent
    std::uint64_t series_version_ = 0;
    std::size_t series_rows_ = 0;
    std::chrono::steady_clock::time_point rows_sent_at_;
    std::shared_ptr<const Population> population_;  // as last sent
    std::uint32_t population_one_in_ = 0;
    Message walls_;  // as last sent
    bool picture_under_way_ = false;
    std::chrono::steady_clock::time_point sent_at_;
    Thinning thinning_;
};

}  // namespace talus::server
