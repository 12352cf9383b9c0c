// Runs the program as a person would: arguments in, what it printed and its exit code out.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "temporary_folder.h"

namespace talus::tests {

inline std::string read_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// How a program ended: its exit code (128 + number for a signal, as a shell says it) and its output.
struct Outcome {
    int code = -1;
    std::string out, err;
};

/// A program under way.
class Process {
public:
    /// `prepare` runs in the child, just before the program takes over.
    Process(std::vector<std::string> command, const std::filesystem::path& folder,
            const std::function<void()>& prepare = {})
        : folder_(folder) {
        std::vector<char*> arguments;
        for (std::string& argument : command) {
            arguments.push_back(argument.data());
        }
        arguments.push_back(nullptr);
        id_ = ::fork();
        if (id_ < 0) {
            throw std::runtime_error("cannot fork");
        }
        if (id_ == 0) {
            ::dup2(::open("/dev/null", O_RDONLY), 0);
            ::dup2(::open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
            ::dup2(::open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
            if (::chdir(folder_.c_str()) != 0) {
                ::_exit(126);
            }
            ::setenv("OMP_WAIT_POLICY", "passive", 1);
            if (prepare) {
                prepare();
            }
            ::execvp(arguments[0], arguments.data());
            ::_exit(127);
        }
    }
    ~Process() {
        if (id_ > 0) {
            ::kill(id_, SIGKILL);
            wait();
        }
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    void signal(int number) const { ::kill(id_, number); }
    bool is_running() {
        if (id_ > 0 && ::waitpid(id_, &status_, WNOHANG) == id_) {
            id_ = -1;
        }
        return id_ > 0;
    }
    /// Waits until `condition` holds or the program has ended; whether it holds while the program runs.
    bool wait_for(const std::function<bool()>& condition) {
        while (is_running()) {
            if (condition()) {
                return true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return false;
    }
    Outcome wait() {
        if (id_ > 0) {
            ::waitpid(id_, &status_, 0);
            id_ = -1;
        }
        return {WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_), read_file(out_), read_file(err_)};
    }

private:
    std::filesystem::path folder_;
    TemporaryFolder printed_;
    std::filesystem::path out_ = printed_ / "out", err_ = printed_ / "err";
    pid_t id_ = -1;
    int status_ = 0;
};

/// `talus` with these arguments, in this folder.
inline std::vector<std::string> talus_command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), TALUS_PROGRAM);
    return arguments;
}
inline Outcome talus(const std::vector<std::string>& arguments, const std::filesystem::path& folder = ".") {
    return Process(talus_command(arguments), folder).wait();
}

/// Eight grains fall on a floor in 0.02 s; a run takes some hundredths of a second. Tests append what they need.
inline std::string small_scene() {
    return R"(# A test's small scene.
title = "eight grains"
[time]
end = 0.02
[gravity]
uniform = [0, 0, "-1 g0"]
[materials.grain]
density = "1 g/cm3"
[materials.steel]
[[contacts]]
between = ["grain", "*"]
law = "hooke"
kn = 5000
restitution = 0.8
friction = { static = 0.3 }
[[walls]]
name = "floor"
shape = { plane = {} }
material = "steel"
[[fill]]
material = "grain"
radius = "1 cm"
lattice = { packing = "cubic" }
count = 8
box = { low = [0, 0, "1 mm"], high = ["4 cm", "4 cm", "5 cm"] }
[[measure]]
height = {}
[output]
frames = "10 ms"
series = "2 ms"
)";
}

/// A folder with the scene as `small.toml`.
class CommandLine : public ::testing::Test {
protected:
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder() / name, std::ios::binary) << text;
    }
    void SetUp() override { write("small.toml", small_scene()); }
    const std::filesystem::path& folder() const { return folder_.path(); }
    Outcome call(const std::vector<std::string>& arguments) const { return talus(arguments, folder()); }

private:
    TemporaryFolder folder_;
};

}  // namespace talus::tests
