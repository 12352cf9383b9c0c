#include "talus/server/connection.h"

#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <string>
#include <utility>

namespace talus::server {

namespace {

constexpr std::chrono::seconds patience{10};    // for a request to arrive, or an answer to leave
constexpr std::uint32_t longest_header = 8192;  // bytes

std::string_view view(beast::string_view text) {
    return {text.data(), text.size()};
}

/// For every answer: nothing is loaded from elsewhere, nobody frames the page, nobody guesses types.
void add_rules(HttpResponse& response) {
    response.set(http::field::server, "Talus");
    response.set("Content-Security-Policy",
                 "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                 "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Cross-Origin-Opener-Policy", "same-origin");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
}

HttpResponse refusal(const HttpRequest& request, http::status status, const std::string& why) {
    HttpResponse response{status, request.version()};
    response.set(http::field::content_type, "text/plain; charset=utf-8");
    response.body() = why + "\n";
    response.keep_alive(false);
    return response;
}

HttpResponse file(const HttpRequest& request, const PageFile& found) {
    HttpResponse response{http::status::ok, request.version()};
    response.set(http::field::content_type, found.type);
    response.set(http::field::cache_control, found.lasting ? "max-age=31536000, immutable" : "no-cache");
    if (request.method() == http::verb::get) {
        response.body() = found.bytes;
    }
    response.keep_alive(request.keep_alive());
    return response;
}

std::optional<HttpResponse> unruled_answer(const HttpRequest& request, const House& house) {
    const std::string_view host = view(request[http::field::host]);
    if (!house.gate.knows_host(host)) {
        return refusal(request, http::status::misdirected_request, "this server does not go by that name");
    }
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
        return refusal(request, http::status::method_not_allowed, "only GET and HEAD");
    }
    const std::string_view target = view(request.target());
    const std::string_view path = target.substr(0, target.find('?'));
    if (path != "/stream") {
        const PageFile* found = house.page.find(path);
        return found != nullptr ? file(request, *found) : refusal(request, http::status::not_found, "no such page");
    }
    if (!beast::websocket::is_upgrade(request)) {
        return refusal(request, http::status::upgrade_required, "the stream speaks WebSocket");
    }
    if (!house.gate.knows_origin(view(request[http::field::origin]), host)) {
        return refusal(request, http::status::forbidden, "pages of other origins may not look");
    }
    const std::string_view query = path.size() < target.size() ? target.substr(path.size() + 1) : std::string_view();
    if (!house.gate.knows_token(query)) {
        return refusal(request, http::status::forbidden, "the token is missing or wrong");
    }
    if (!house.has_room()) {
        return refusal(request, http::status::service_unavailable, "too many look already");
    }
    return std::nullopt;
}

}  // namespace

std::optional<HttpResponse> answer(const HttpRequest& request, const House& house) {
    std::optional<HttpResponse> response = unruled_answer(request, house);
    if (response) {
        add_rules(*response);
        response->prepare_payload();
    }
    return response;
}

Connection::Connection(asio::ip::tcp::socket&& socket, House& house) : stream_(std::move(socket)), house_(house) {
    ++house_.connections;
}

Connection::~Connection() {
    --house_.connections;
}

void Connection::start() {
    read();
}

void Connection::read() {
    parser_.emplace();
    parser_->header_limit(longest_header);
    parser_->body_limit(0);
    stream_.expires_after(patience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) { self->on_read(error); });
}

void Connection::on_read(beast::error_code error) {
    if (error == http::error::header_limit || error == http::error::body_limit) {
        HttpResponse response = refusal(parser_->get(), http::status::payload_too_large, "too long a request");
        add_rules(response);
        response.prepare_payload();
        return send(std::move(response));
    }
    if (error) {
        return;  // closed, too slow or not HTTP: the connection ends with its last reference
    }
    HttpRequest request = parser_->release();
    std::optional<HttpResponse> response = answer(request, house_);
    if (response) {
        return send(std::move(*response));
    }
    stream_.expires_never();  // the stream has a clock of its own
    house_.open_stream(std::move(stream_), std::move(request));
}

void Connection::send(HttpResponse&& response) {
    response_ = std::move(response);
    stream_.expires_after(patience);
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code error, std::size_t) {
        if (!error && self->response_.keep_alive()) {
            return self->read();
        }
        beast::error_code ignored;
        self->stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    });
}

}  // namespace talus::server
