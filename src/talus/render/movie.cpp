#include "talus/render/movie.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "talus/base/diagnostics.h"

extern char** environ;

namespace talus::render {

Movie::Movie(std::filesystem::path path, int width, int height, int pictures_per_second)
    : path_(std::move(path)), temporary_(path_) {
    temporary_ += ".tmp";
    // Pictures are sRGB; players take a file that says nothing for this or that, so it says what it holds. x264's
    // result depends on how many threads share the work, so their number is fixed. "file:" keeps ffmpeg from reading a
    // name as an option or a protocol.
    std::vector<std::string> words = {"ffmpeg",
                                      "-y",
                                      "-loglevel",
                                      "error",
                                      "-f",
                                      "rawvideo",
                                      "-pixel_format",
                                      "rgb24",
                                      "-video_size",
                                      std::to_string(width) + "x" + std::to_string(height),
                                      "-framerate",
                                      std::to_string(pictures_per_second),
                                      "-i",
                                      "-",
                                      "-c:v",
                                      "libx264",
                                      "-preset",
                                      "medium",
                                      "-crf",
                                      "18",
                                      "-vf",
                                      "scale=out_color_matrix=bt709:out_range=tv",
                                      "-pix_fmt",
                                      "yuv420p",
                                      "-colorspace",
                                      "bt709",
                                      "-color_primaries",
                                      "bt709",
                                      "-color_trc",
                                      "iec61966-2-1",
                                      "-color_range",
                                      "tv",
                                      "-threads",
                                      "2",
                                      "-fflags",
                                      "+bitexact",
                                      "-flags:v",
                                      "+bitexact",
                                      "-movflags",
                                      "+faststart",
                                      "-f",
                                      "mp4",
                                      "file:" + std::filesystem::absolute(temporary_).string()};
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    int ends[2];
    said_ = std::tmpfile();
    if (said_ == nullptr || ::pipe2(ends, O_CLOEXEC) != 0) {
        throw base::RunError(std::string("cannot talk to ffmpeg: ") + std::strerror(errno));
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_adddup2(&actions, ::fileno(said_), 1);
    posix_spawn_file_actions_adddup2(&actions, ::fileno(said_), 2);
    // A group of its own: Ctrl-C is for this program, which then ends ffmpeg.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    const int error = posix_spawnp(&process_, "ffmpeg", &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    pipe_ = ends[1];
    std::signal(SIGPIPE, SIG_IGN);  // an ffmpeg that ends early is reported as a fault of writing
    if (error != 0) {
        process_ = -1;
        ::close(pipe_);
        std::fclose(said_);
        throw base::InputError(std::string("movies need ffmpeg (Debian: ffmpeg): ") + std::strerror(error));
    }
}

Movie::~Movie() {
    if (pipe_ >= 0) {
        ::close(pipe_);
    }
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        wait();
    }
    std::fclose(said_);
    std::error_code none;
    std::filesystem::remove(temporary_, none);
}

int Movie::wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return status;
}

void Movie::fail() {
    if (pipe_ >= 0) {
        ::close(std::exchange(pipe_, -1));
    }
    if (process_ > 0) {
        wait();
    }
    std::string text;
    std::rewind(said_);
    for (int c = std::fgetc(said_); c != EOF && text.size() < 2000; c = std::fgetc(said_)) {
        text += static_cast<char>(c);
    }
    throw base::RunError("ffmpeg failed to make " + path_.string() + ": " + text);
}

void Movie::add(const Picture& picture) {
    const std::vector<std::uint8_t> bytes = bytes_of(picture);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t written = ::write(pipe_, bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno != EINTR) {
            fail();
        }
        done += written > 0 ? static_cast<std::size_t>(written) : 0;
    }
}

void Movie::finish() {
    ::close(std::exchange(pipe_, -1));
    if (wait() != 0) {
        fail();
    }
    std::filesystem::rename(temporary_, path_);
}

}  // namespace talus::render
