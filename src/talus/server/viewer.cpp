#include "talus/server/viewer.h"

#include <boost/asio/buffer.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace talus::server {

namespace {

constexpr std::size_t longest_message = 4096;  // bytes, from a viewer
constexpr std::size_t longest_queue = 64;      // messages: a viewer that lets so many pile up has vanished
constexpr std::chrono::seconds patience{30};   // without a sign of life; half way through it is asked for one

constexpr double rows_interval = 0.2;  // s

double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

Viewer::Viewer(beast::tcp_stream&& stream, Exchange& exchange, ViewerId id)
    : socket_(std::move(stream)), exchange_(exchange) {
    request_.viewer = id;
    manner_.field = request_.field;
    exchange_.enter();
}

Viewer::~Viewer() {
    exchange_.leave(request_.viewer);
}

void Viewer::start(const HttpRequest& request) {
    websocket::stream_base::timeout limits{};
    limits.handshake_timeout = patience;
    limits.idle_timeout = patience;
    limits.keep_alive_pings = true;
    socket_.set_option(limits);
    socket_.read_message_max(longest_message);
    socket_.binary(true);
    socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
        if (!error) {
            self->open_ = true;
            self->ask();
            self->refresh();
            self->read();
        }
    });
}

void Viewer::read() {
    socket_.async_read(buffer_,
                       [self = shared_from_this()](beast::error_code error, std::size_t) { self->on_read(error); });
}

void Viewer::on_read(beast::error_code error) {
    if (error) {
        open_ = false;
        return;
    }
    const auto data = buffer_.cdata();
    const std::string_view text(static_cast<const char*>(data.data()), data.size());
    const Json message = Json::parse(text, nullptr, false);
    buffer_.clear();
    if (!message.is_object() || !take(message)) {
        return close();
    }
    read();
}

bool Viewer::take(const Json& message) {
    const auto type = message.find("type");
    if (type == message.end() || !type->is_string()) {
        return false;
    }
    if (*type == "look") {
        return look(message);
    }
    if (*type == "got") {
        got();
        return true;
    }
    exchange_.command({request_.viewer, message});
    return true;
}

bool Viewer::look(const Json& message) {
    const auto text = [&](const char* key, std::string& value) {
        const auto found = message.find(key);
        if (found != message.end() && found->is_string()) {
            value = found->get<std::string>();
        }
    };
    const auto whole = [&](const char* key, std::int64_t& value) {
        const auto found = message.find(key);
        if (found != message.end() && found->is_number()) {
            value = found->get<std::int64_t>();
        }
    };
    text("field", request_.field);
    whole("grain", request_.grain);
    whole("frame", request_.frame);
    const auto chains = message.find("chains");
    request_.chains = chains != message.end() && chains->is_boolean() && chains->get<bool>();
    const auto range = message.find("range");
    manner_.has_range = range != message.end() && range->is_array() && range->size() == 2 && (*range)[0].is_number() &&
                        (*range)[1].is_number();
    if (manner_.has_range) {
        manner_.low = (*range)[0].get<float>();
        manner_.high = (*range)[1].get<float>();
    }
    manner_.field = request_.field;
    manner_.chains = request_.chains;
    manner_.grain = request_.grain;
    request_.seen = -1;
    if (!picture_under_way_) {
        ask();
    }
    return true;
}

void Viewer::got() {
    if (picture_under_way_) {
        picture_under_way_ = false;
        thinning_.took(seconds_since(sent_at_));
        ask();
        refresh();
    }
}

void Viewer::ask() {
    exchange_.ask(request_);
}

void Viewer::refresh() {
    if (!open_) {
        return;
    }
    bool rows_are_due = seconds_since(rows_sent_at_) > rows_interval;
    for (std::size_t t = 0; t < topic_count; ++t) {
        const Notice notice = exchange_.notice(static_cast<Topic>(t));
        if (notice.version != known_[t]) {
            known_[t] = notice.version;
            send(notice.message);
            rows_are_due = true;  // the news may be that the run is over
        }
    }
    if (rows_are_due) {
        rows_sent_at_ = std::chrono::steady_clock::now();
        const SeriesBoard::Part part = exchange_.series(series_version_, series_rows_);
        series_version_ = part.version;
        series_rows_ = part.rows;
        if (part.message) {
            send(part.message);
        }
    }
    if (!picture_under_way_) {
        if (const auto picture = exchange_.take_picture(request_.viewer)) {
            send_picture(*picture);
        }
    }
}

void Viewer::send_picture(const Picture& picture) {
    manner_.one_in = thinning_.one_in();
    if (picture.population != population_ || manner_.one_in != population_one_in_) {
        population_ = picture.population;
        population_one_in_ = manner_.one_in;
        send(population_message(*population_, population_one_in_));
    }
    if (picture.walls && picture.walls != walls_) {
        walls_ = picture.walls;
        send(walls_);
    }
    // What was asked for after this picture was begun is still to come.
    const bool fits = picture.fields.contains(manner_.field) && (picture.frame == request_.frame || request_.frame < 0);
    request_.seen = fits && picture.chains.operator bool() >= manner_.chains ? picture.identity : -1;
    picture_under_way_ = true;
    sent_at_ = std::chrono::steady_clock::now();
    send(picture_message(picture, manner_));
}

void Viewer::send(Message message) {
    if (outgoing_.size() >= longest_queue) {
        return close();
    }
    outgoing_.push_back(std::move(message));
    if (outgoing_.size() == 1) {
        write();
    }
}

void Viewer::write() {
    socket_.async_write(asio::buffer(*outgoing_.front()),
                        [self = shared_from_this()](beast::error_code error, std::size_t) {
                            if (error || !self->open_) {
                                self->open_ = false;
                                return;
                            }
                            self->outgoing_.pop_front();
                            if (!self->outgoing_.empty()) {
                                self->write();
                            }
                        });
}

void Viewer::close() {
    open_ = false;
    beast::get_lowest_layer(socket_).close();
}

}  // namespace talus::server
