// One HTTP connection: files of the page, or the way into the stream. Whoever dawdles is dropped.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "talus/server/gate.h"
#include "talus/server/page_files.h"

namespace talus::server {

namespace beast = boost::beast;
namespace http = beast::http;
namespace asio = boost::asio;

using HttpRequest = http::request<http::string_body>;
using HttpResponse = http::response<http::string_body>;

/// What all connections share.
struct House {
    const Gate& gate;
    const PageFiles& page;
    /// Takes over a connection that asked for the stream and may have it.
    std::function<void(beast::tcp_stream&&, HttpRequest&&)> open_stream;
    /// Whether one more viewer may look.
    std::function<bool()> has_room;
    int connections = 0;  // now
};

/// What a request gets, unless it asks for the stream and may have it: then nothing.
std::optional<HttpResponse> answer(const HttpRequest& request, const House& house);

class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(asio::ip::tcp::socket&& socket, House& house);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    void start();

private:
    void read();
    void on_read(beast::error_code error);
    void send(HttpResponse&& response);

    beast::tcp_stream stream_;
    House& house_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::string_body>> parser_;
    HttpResponse response_;
};

}  // namespace talus::server
