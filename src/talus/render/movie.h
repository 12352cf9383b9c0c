// A movie file, made by ffmpeg from pictures that are handed to it one by one.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <filesystem>

#include "talus/render/picture.h"

namespace talus::render {

class Movie {
public:
    /// Starts ffmpeg; base::InputError if there is none. The file is written under a temporary name.
    Movie(std::filesystem::path path, int width, int height, int pictures_per_second);
    /// Ends ffmpeg and removes what it has written, unless finished.
    ~Movie();
    Movie(const Movie&) = delete;
    Movie& operator=(const Movie&) = delete;

    /// base::RunError, with what ffmpeg said, if it has failed.
    void add(const Picture& picture);
    /// Waits for ffmpeg and gives the file its name.
    void finish();

private:
    [[noreturn]] void fail();
    int wait();

    std::filesystem::path path_, temporary_;
    int pipe_ = -1;
    pid_t process_ = -1;
    std::FILE* said_ = nullptr;
};

}  // namespace talus::render
