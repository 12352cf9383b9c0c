// One viewer: a WebSocket that fetches what is new whenever its line is free, and never more than one picture ahead.
#pragma once

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <deque>
#include <memory>

#include "talus/server/connection.h"
#include "talus/server/exchange.h"
#include "talus/server/picture.h"
#include "talus/server/thinning.h"

namespace talus::server {

namespace websocket = beast::websocket;

class Viewer : public std::enable_shared_from_this<Viewer> {
public:
    Viewer(beast::tcp_stream&& stream, Exchange& exchange, SharedMessages& messages, ViewerId id);
    ~Viewer();
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;

    void start(const HttpRequest& request);
    /// Sends whatever the exchange holds that this viewer has not got, once what was sent before has left; called when
    /// something may be new.
    void refresh();
    /// Sends what is new, says goodbye and ends; the other side has to answer, so somebody must set a limit.
    void finish();
    void close();

private:
    void read();
    void on_read(beast::error_code error);
    /// False: the message makes no sense.
    bool take(const Json& message);
    bool look(const Json& message);
    /// The picture under way has arrived.
    void got(const Json& message);
    void ask();
    void fetch();
    void send_picture(std::shared_ptr<const Picture> picture);
    /// If no other picture follows for a while, sends this one with more grains, however slow the line is.
    void wait_for_rest();
    void write();

    websocket::stream<beast::tcp_stream> socket_;
    Exchange& exchange_;
    SharedMessages& messages_;
    Request request_;
    Manner manner_;
    beast::flat_buffer buffer_;
    std::deque<Message> outgoing_;
    bool open_ = false;
    bool is_finishing_ = false;
    std::array<std::uint64_t, topic_count> known_{};  // versions of the notices sent
    std::uint64_t series_version_ = 0;
    std::size_t series_rows_ = 0;
    std::chrono::steady_clock::time_point rows_sent_at_;
    std::shared_ptr<const Picture> picture_;        // as last sent
    bool again_ = false;                            // to be sent once more, in another manner
    std::shared_ptr<const Population> population_;  // as last sent
    std::uint32_t population_one_in_ = 0;
    Message walls_;  // as last sent
    bool picture_under_way_ = false;
    std::chrono::steady_clock::time_point sent_at_;
    Thinning thinning_;
    double taken_ = 0;  // s, by the last picture that was timed
    asio::steady_timer quiet_;
    bool at_rest_ = false;  // the picture has as many grains as one that nothing follows
    std::uint32_t one_in_at_rest_ = 1;
};

}  // namespace talus::server
