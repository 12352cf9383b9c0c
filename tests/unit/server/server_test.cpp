// The server itself, spoken to over its socket.
#include "talus/server/server.h"

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <cstring>
#include <fstream>
#include <thread>

#include "talus/base/diagnostics.h"
#include "talus/server/keep_serving.h"
#include "talus/server/thinning.h"
#include "temporary_folder.h"

namespace talus::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;

class Served : public ::testing::Test {
protected:
    Served() {
        std::ofstream(page / "index.html") << "<p>";
        restart();
    }
    void restart(std::uint16_t port = 0) {
        server.reset();
        server = std::make_unique<Server>(ServerOptions{"127.0.0.1", port, false, page.path()}, exchange);
    }
    std::uint16_t port() const {
        const std::string& url = server->url();
        return static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
    }

    tests::TemporaryFolder page;
    Exchange exchange;
    std::unique_ptr<Server> server;
};

/// A viewer that reads when it is told to.
class Client {
public:
    explicit Client(std::uint16_t port) : socket_(context_) {
        beast::get_lowest_layer(socket_).connect({asio::ip::make_address("127.0.0.1"), port});
        const std::string host = "127.0.0.1:" + std::to_string(port);
        socket_.set_option(websocket::stream_base::decorator(
            [host](websocket::request_type& request) { request.set(beast::http::field::origin, "http://" + host); }));
        socket_.handshake(host, "/stream");
    }
    /// The header of the next message; null if the stream has ended.
    Json read() {
        beast::flat_buffer buffer;
        beast::error_code error;
        socket_.read(buffer, error);
        if (error) {
            return nullptr;
        }
        const std::string text = beast::buffers_to_string(buffer.data());
        std::uint32_t length = 0;
        std::memcpy(&length, text.data(), 4);
        return Json::parse(text.substr(4, length));
    }
    Json read_until(const std::string& type) {
        Json header = read();
        while (!header.is_null() && header.at("type") != type) {
            header = read();
        }
        return header;
    }
    void send(const Json& message) {
        socket_.text(true);
        socket_.write(asio::buffer(message.dump()));
    }
    unsigned why() const { return socket_.reason().code; }

private:
    asio::io_context context_;
    websocket::stream<tcp::socket> socket_;
};

std::shared_ptr<Picture> picture_of(std::size_t grains) {
    auto population = std::make_shared<Population>();
    auto picture = std::make_shared<Picture>();
    for (std::size_t i = 0; i < grains; ++i) {
        population->id.push_back(static_cast<std::int64_t>(i));
        population->radius.push_back(0.01F);
        picture->position.insert(picture->position.end(), {static_cast<float>(i) * 1e-4F, 0, 0});
    }
    picture->fields["speed"].resize(grains);
    population->smallest = 0.01F;
    picture->population = population;
    picture->box = box_of(picture->position);
    return picture;
}

/// Waits until the exchange has a request.
Request request_in(const Exchange& exchange) {
    while (exchange.requests().empty()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return exchange.requests()[0];
}

TEST_F(Served, OneViewerTooManyIsToldSo) {
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 16; ++i) {
        clients.push_back(std::make_unique<Client>(port()));
    }
    const std::string host = "127.0.0.1:" + std::to_string(port());
    const std::string request = "GET /stream HTTP/1.1\r\nHost: " + host + "\r\nOrigin: http://" + host +
                                "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    asio::io_context context;
    tcp::socket socket(context);
    socket.connect({asio::ip::make_address("127.0.0.1"), port()});
    asio::write(socket, asio::buffer(request));
    std::string answer(12, ' ');
    asio::read(socket, asio::buffer(answer));
    EXPECT_EQ(answer, "HTTP/1.1 503");
}

TEST_F(Served, TheLastNewsArrivesBeforeTheEnd) {
    Client client(port());
    exchange.post(Topic::state, plain_message({{"type", "state"}, {"status", "running"}}));
    EXPECT_EQ(client.read_until("state").at("status"), "running");
    exchange.post(Topic::state, plain_message({{"type", "state"}, {"status", "failed"}}));
    std::thread closing([&] { server.reset(); });
    EXPECT_EQ(client.read_until("state").at("status"), "failed");
    EXPECT_TRUE(client.read_until("nothing more").is_null());
    EXPECT_EQ(client.why(), websocket::close_code::going_away);
    closing.join();
}

TEST_F(Served, ABigCrowdBeginsThinnedAndASlowReaderIsKept) {
    Client client(port());
    exchange.answer(request_in(exchange), picture_of(200000));
    for (int i = 0; i < 500; ++i) {  // news that a slow line cannot take as fast as it comes
        exchange.post(Topic::events,
                      plain_message({{"type", "events"}, {"events", {i}}, {"text", std::string(20000, 'x')}}));
    }
    EXPECT_EQ(client.read_until("grains").at("one_in"), 8);
    client.read_until("picture");
    client.send({{"type", "got"}});
    Json last = client.read_until("events");
    while (!last.is_null() && last.at("events").at(0) != 499) {
        last = client.read_until("events");
    }
    EXPECT_FALSE(last.is_null());
}

TEST_F(Served, ACrowdThatStandsStillGetsAllItsGrains) {
    Client client(port());
    exchange.answer(request_in(exchange), picture_of(200000));
    std::vector<std::uint32_t> seen;
    int pictures = 0;
    while (seen.empty() || seen.back() > 1) {
        const Json message = client.read();
        ASSERT_FALSE(message.is_null());
        if (message.at("type") == "grains") {
            seen.push_back(message.at("one_in").get<std::uint32_t>());
        } else if (message.at("type") == "picture") {
            ++pictures;
            // The first is late: nobody could see the page, and the same comes once more, to be timed. Every other one
            // is slow to draw, which is no fault of the line.
            client.send(pictures == 1       ? Json{{"type", "got"}, {"late", true}}
                        : pictures % 2 == 0 ? Json{{"type", "got"}}
                                            : Json{{"type", "got"}, {"drawing", 10}});
        }
    }
    // How many there are at a time in between is up to how fast this machine is.
    EXPECT_EQ(seen.front(), 8U);
    EXPECT_GT(pictures, 1);
}

TEST_F(Served, ACrowdThatStandsStillGetsAllItsGrainsHoweverSlowTheLine) {
    Client client(port());
    exchange.answer(request_in(exchange), picture_of(200000));
    std::vector<std::uint32_t> seen;
    const auto take_it_slowly = [&] {
        seen.push_back(client.read_until("grains").at("one_in").get<std::uint32_t>());
        client.read_until("picture");
        for (int i = 1; i < Thinning::too_many; ++i) {  // the first is sent again, to be sure
            std::this_thread::sleep_for(std::chrono::duration<double>(1.2 * Thinning::slow));
            client.send({{"type", "got"}});
            client.read_until("picture");
        }
        std::this_thread::sleep_for(std::chrono::duration<double>(1.2 * Thinning::slow));
        client.send({{"type", "got"}});
    };
    take_it_slowly();
    seen.push_back(client.read_until("grains").at("one_in").get<std::uint32_t>());  // nothing follows: all that can be
    client.read_until("picture");
    client.send({{"type", "got"}});
    EXPECT_EQ(seen[0], 8U);
    EXPECT_LT(seen[1], 8U);  // how many depends on what the slow ones really took
    const Request request = request_in(exchange);
    exchange.answer(request, picture_of(200000));  // something moves: the line is as slow as it was
    EXPECT_EQ(client.read_until("grains").at("one_in"), 16);
}

TEST_F(Served, OtherColoursNeedNoOtherPicture) {
    Client client(port());
    client.send({{"type", "look"}, {"field", "speed"}});
    Request request = request_in(exchange);
    while (request.version == 0) {
        request = request_in(exchange);
    }
    exchange.answer(request, picture_of(3));
    EXPECT_EQ(client.read_until("picture").at("range").at(1), 0.0);
    client.send({{"type", "got"}});
    const Request next = request_in(exchange);
    EXPECT_EQ(next.seen, 0);
    client.send({{"type", "look"}, {"field", "speed"}, {"range", {2, 7}}});
    EXPECT_EQ(client.read_until("picture").at("range"), (Json{2.0, 7.0}));
    EXPECT_EQ(exchange.requests()[0].version, next.version);
}

TEST_F(Served, NumbersBeyondAllMeasureAreHeld) {
    Client client(port());
    client.send(
        {{"type", "look"}, {"field", "speed"}, {"frame", 1e300}, {"grain", -1e300}, {"range", {-1e300, 1e300}}});
    Request request = request_in(exchange);
    while (request.version == 0) {
        request = request_in(exchange);
    }
    EXPECT_EQ(request.frame, 1000000000000000);
    EXPECT_EQ(request.grain, -1);
}

TEST_F(Served, APortThatIsTakenIsSaid) {
    try {
        const Server second({"127.0.0.1", port(), false, page.path()}, exchange);
        FAIL() << "two servers at one port";
    } catch (const base::InputError& fault) {
        EXPECT_NE(std::string(fault.what()).find("cannot listen at 127.0.0.1 port"), std::string::npos);
    }
}

TEST(KeepServing, GoesOnAfterAFault) {
    asio::io_context context;
    const auto work = asio::make_work_guard(context);
    int faults = 0, pieces = 0;
    asio::post(context, [] { throw std::runtime_error("out of something"); });
    asio::post(context, [&] { context.stop(); });
    keep_serving(
        context, [&] { ++faults; }, [&] { ++pieces; });
    EXPECT_EQ(faults, 1);
    EXPECT_EQ(pieces, 2);
}

}  // namespace
}  // namespace talus::server
