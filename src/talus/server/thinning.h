// How much of a crowd a line is spared: the first picture is small whatever the line and grows as long as pictures are
// not slow; those that take long to arrive are thinned, and get their grains back when they arrive quickly. A picture
// that nothing follows may take its time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace talus::server {

class Thinning {
public:
    /// One grain in how many is sent.
    std::uint32_t one_in() const { return one_in_; }

    /// The first crowd has so many spheres: nobody knows yet what the line bears.
    void begin(std::size_t spheres) {
        while (is_new_ && spheres * bytes_of_sphere / one_in_ > first_message && one_in_ < most) {
            one_in_ *= 2;
        }
        is_new_ = false;
    }

    /// A picture took so long from here to the viewer and its word that it has come.
    void took(double seconds) {
        bad_ = seconds > slow ? bad_ + 1 : 0;
        good_ = seconds < quick ? good_ + 1 : 0;
        if (bad_ >= too_many) {
            is_growing_ = false;
            one_in_ = one_in_ < most ? 2 * one_in_ : most;
            good_ = bad_ = 0;
        } else if (one_in_ > 1 && (good_ >= enough || (is_growing_ && bad_ == 0))) {
            // Back only after a while of good ones, or the crowd would flicker; at the start there is nothing to lose.
            one_in_ /= 2;
            good_ = 0;
        }
    }

    /// Grains are missing, and one slow picture has not told yet whether the line is: where nothing moves no other will
    /// come that could.
    bool is_unsure() const { return is_growing_ && bad_ > 0 && one_in_ > 1; }

    /// One grain in how many a line may bring where nothing moves, if with one in `one_in` the last picture took so
    /// long.
    static std::uint32_t one_in_at_rest(std::uint32_t one_in, double seconds) {
        for (; one_in > 1 && 2 * seconds <= longest_at_rest; seconds *= 2) {
            one_in /= 2;
        }
        return one_in;
    }

    static constexpr double slow = 0.25;   // s
    static constexpr double quick = 0.08;  // s: twice the grains then arrive in time too
    static constexpr int too_many = 3;     // slow pictures in a row: one may be slow by chance
    static constexpr int enough = 20;      // quick pictures
    static constexpr std::uint32_t most = 64;
    static constexpr double rest = 2;                        // s without another picture: nothing moves
    static constexpr double longest_at_rest = 5;             // s that whoever looks on then may have to wait
    static constexpr std::size_t first_message = 1U << 18U;  // bytes
    static constexpr std::size_t bytes_of_sphere = 8;        // its number and radius; a picture has 7

private:
    std::uint32_t one_in_ = 1;
    bool is_new_ = true;      // nothing has been sent
    bool is_growing_ = true;  // the line has not been found slow yet
    int good_ = 0, bad_ = 0;  // pictures in a row
};

}  // namespace talus::server
