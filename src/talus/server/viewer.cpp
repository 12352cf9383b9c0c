#include "talus/server/viewer.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "talus/base/clocks.h"

namespace talus::server {

namespace {

constexpr std::size_t longest_message = 4096;     // bytes, from a viewer
constexpr std::size_t longest_piece = 1U << 18U;  // bytes of a message that leave at once
constexpr std::chrono::seconds patience{30};      // without a sign of life; half way through it is asked for one

constexpr double rows_interval = 0.2;  // s

}  // namespace

Viewer::Viewer(beast::tcp_stream&& stream, Exchange& exchange, SharedMessages& messages, ViewerId id)
    : socket_(std::move(stream)), exchange_(exchange), messages_(messages), quiet_(socket_.get_executor()) {
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
    socket_.write_buffer_bytes(longest_piece);
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
        return close();
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
        got(message);
        return true;
    }
    exchange_.command({request_.viewer, message});
    return true;
}

bool Viewer::look(const Json& message) {
    const Request before = request_;
    const auto text = [&](const char* key, std::string& value) {
        const auto found = message.find(key);
        if (found != message.end() && found->is_string()) {
            value = found->get<std::string>();
        }
    };
    const auto whole = [&](const char* key, std::int64_t& value) {
        const auto found = message.find(key);
        if (found != message.end() && found->is_number()) {
            constexpr double most = 1e15;  // beyond it no number of a grain or a frame is whole
            value = static_cast<std::int64_t>(std::clamp(found->get<double>(), -1.0, most));
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
        const auto end = [&](std::size_t i) {
            return static_cast<float>(std::clamp((*range)[i].get<double>(), -1e37, 1e37));
        };
        manner_.low = end(0);
        manner_.high = end(1);
    }
    manner_.field = request_.field;
    manner_.chains = request_.chains;
    manner_.grain = request_.grain;
    if (picture_ && request_.field == before.field && request_.chains == before.chains &&
        request_.grain == before.grain && request_.frame == before.frame) {
        again_ = true;  // other colours for what is there
        refresh();
        return true;
    }
    ++request_.version;
    request_.seen = -1;
    if (!picture_under_way_) {
        ask();
    }
    return true;
}

void Viewer::got(const Json& message) {
    if (picture_under_way_) {
        picture_under_way_ = false;
        const bool is_seen = !message.contains("late");  // else nobody could see the page
        if (is_seen) {
            const auto drawing = message.find("drawing");
            const double drawn = drawing != message.end() && drawing->is_number() ? drawing->get<double>() : 0.0;
            taken_ = base::seconds_since(sent_at_) - drawn;
            if (!at_rest_) {
                thinning_.took(taken_);
            }
        }
        // Where nothing moves no other picture will come to bring the grains that are missing.
        const bool may_grow = !at_rest_ && (thinning_.one_in() < manner_.one_in || thinning_.is_unsure());
        again_ = again_ || (picture_ && (may_grow || (!is_seen && manner_.one_in > 1)));
        ask();
        refresh();
        wait_for_rest();
    }
}

void Viewer::ask() {
    exchange_.ask(request_);
}

void Viewer::refresh() {
    if (!open_ || !outgoing_.empty()) {
        return;  // when the line is free again this comes again
    }
    fetch();
    if (!outgoing_.empty()) {
        write();
    } else if (is_finishing_) {
        open_ = false;
        socket_.async_close(websocket::close_code::going_away, [self = shared_from_this()](beast::error_code) {});
    }
}

void Viewer::fetch() {
    bool rows_are_due = is_finishing_ || base::seconds_since(rows_sent_at_) > rows_interval;
    for (std::size_t t = 0; t < topic_count; ++t) {
        const Notice notice = exchange_.notice(static_cast<Topic>(t));
        if (notice.version != known_[t]) {
            known_[t] = notice.version;
            outgoing_.push_back(notice.message);
            rows_are_due = true;  // the news may be that the run is over
        }
    }
    if (rows_are_due) {
        rows_sent_at_ = std::chrono::steady_clock::now();
        const SeriesBoard::Part part = exchange_.series(series_version_, series_rows_);
        series_version_ = part.version;
        series_rows_ = part.rows;
        if (part.message) {
            outgoing_.push_back(part.message);
        }
    }
    if (picture_under_way_) {
        return;
    }
    if (Exchange::Answer answer = exchange_.take_picture(request_.viewer); answer.picture) {
        // What was asked for after this picture was begun is still to come.
        request_.seen = answer.version == request_.version ? answer.picture->identity : -1;
        send_picture(std::move(answer.picture));
    } else if (again_ && picture_) {
        send_picture(picture_);
    }
}

void Viewer::send_picture(std::shared_ptr<const Picture> picture) {
    at_rest_ = at_rest_ && picture == picture_;
    picture_ = std::move(picture);
    again_ = false;
    thinning_.begin(picture_->population->spheres());
    manner_.one_in = at_rest_ ? one_in_at_rest_ : thinning_.one_in();
    if (picture_->population != population_ || manner_.one_in != population_one_in_) {
        population_ = picture_->population;
        population_one_in_ = manner_.one_in;
        outgoing_.push_back(messages_.of(population_, population_one_in_));
    }
    if (picture_->walls && picture_->walls != walls_) {
        walls_ = picture_->walls;
        outgoing_.push_back(walls_);
    }
    picture_under_way_ = true;
    sent_at_ = std::chrono::steady_clock::now();
    outgoing_.push_back(messages_.of(picture_, manner_));
}

void Viewer::wait_for_rest() {
    const std::uint32_t next = Thinning::one_in_at_rest(manner_.one_in, taken_);
    if (picture_under_way_ || !picture_ || next == manner_.one_in) {
        return;
    }
    quiet_.expires_after(
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(Thinning::rest)));
    quiet_.async_wait([weak = weak_from_this(), next](beast::error_code error) {
        const std::shared_ptr<Viewer> self = weak.lock();
        if (!error && self && !self->picture_under_way_) {
            self->one_in_at_rest_ = next;
            self->at_rest_ = self->again_ = true;
            self->refresh();
        }
    });
}

void Viewer::write() {
    const MessageParts& message = *outgoing_.front();
    const std::array<asio::const_buffer, 2> parts = {asio::buffer(message.head), asio::buffer(message.body)};
    socket_.async_write(parts, [self = shared_from_this()](beast::error_code error, std::size_t) {
        if (error || !self->open_) {
            return self->close();
        }
        self->outgoing_.pop_front();
        if (self->outgoing_.empty()) {
            self->refresh();
        } else {
            self->write();
        }
    });
}

void Viewer::finish() {
    is_finishing_ = true;
    refresh();
}

void Viewer::close() {
    open_ = false;
    quiet_.cancel();
    beast::get_lowest_layer(socket_).close();
}

}  // namespace talus::server
