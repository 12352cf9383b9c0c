// How much of a crowd a slow line is spared: pictures that take long to arrive are thinned, and get their grains back
// when they arrive quickly again.
#pragma once

#include <cstdint>

namespace talus::server {

class Thinning {
public:
    /// One grain in how many is sent.
    std::uint32_t one_in() const { return one_in_; }

    /// A picture took so long from here to the viewer and its word that it has come.
    void took(double seconds) {
        bad_ = seconds > slow ? bad_ + 1 : 0;
        if (bad_ >= too_many && one_in_ < most) {
            one_in_ *= 2;
            good_ = bad_ = 0;
        } else if (seconds < quick) {
            // Back only after a while of good ones, or the crowd would flicker.
            if (++good_ >= enough && one_in_ > 1) {
                one_in_ /= 2;
                good_ = 0;
            }
        } else {
            good_ = 0;
        }
    }

    static constexpr double slow = 0.25;   // s
    static constexpr double quick = 0.08;  // s: twice the grains then arrive in time too
    static constexpr int too_many = 3;     // slow pictures in a row: one may be slow by chance
    static constexpr int enough = 20;      // quick pictures
    static constexpr std::uint32_t most = 64;

private:
    std::uint32_t one_in_ = 1;
    int good_ = 0, bad_ = 0;  // pictures in a row
};

}  // namespace talus::server
