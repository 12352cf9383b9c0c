// The loop of the thread that serves. Whatever goes wrong in it is no reason for a run to end.
#pragma once

#include <boost/asio/io_context.hpp>
#include <exception>

namespace talus::server {

/// Until the context is stopped: `after` is called behind every piece of work, and `on_fault` where one has failed.
template <class OnFault, class After>
void keep_serving(boost::asio::io_context& context, OnFault on_fault, After after) {
    while (!context.stopped()) {
        try {
            context.run_one();
        } catch (const std::exception&) {
            on_fault();
        }
        after();
    }
}

}  // namespace talus::server
