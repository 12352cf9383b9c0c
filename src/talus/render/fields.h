// What grains can be coloured by: one number a grain, with a name and a unit for the colour bar.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "talus/output/frame.h"

namespace talus::render {

struct Field {
    std::string label;           // "speed"
    std::string unit;            // "m/s"; may be empty
    std::vector<double> values;  // a number a grain, in the order of the frame
    bool has_sign = false;       // values on both sides of zero mean opposite things
};

/// When each grain was first seen in a frame: ages count from there.
using Births = std::map<std::int64_t, double>;
/// From the frames of a run up to `last`, in order of time.
Births births_of(const std::vector<std::filesystem::path>& frames);

/// speed, spin, force, stress, size, age, or any column of the frame's `particles/` (`mass`, `coordination`, ...), also
/// one component of it (`velocity.z`, `stress.xy`). `births` is asked for ages only. base::InputError, with all names
/// and the nearest one, if there is no such field.
Field field_of(const output::FrameFile& frame, const std::filesystem::path& path, const std::string& name,
               const Births& births);

/// The lowest and the highest number on a colour bar.
struct Range {
    double low = 0, high = 1;
    /// Whether there is a width to divide: numbers that agree to nine digits count as one.
    bool is_wide() const;
};
/// From all values of all frames shown: from zero for what has no sign, symmetric for what has; up to the value that
/// one in two hundred exceeds, so that a few fast grains do not take all colours. Where all are the same, half as much
/// on either side.
Range natural_range(std::vector<double> values, bool has_sign);

}  // namespace talus::render
