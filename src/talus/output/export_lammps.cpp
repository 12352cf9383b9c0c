// Frames as a LAMMPS text dump, which OVITO opens with sizes, velocities and the periodic box in place.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string>

#include "talus/output/atomic_file.h"
#include "talus/output/export.h"

namespace talus::output {
namespace {

std::string dump_frame(const FrameFile& frame) {
    const Bounds seen = visible_bounds(frame);
    std::string out;
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS", frame.step, frame.id.size());
    const bool planar = frame.domain.planar();
    for (std::size_t k = 0; k < 3; ++k) {  // a plane box is thin and periodic along z
        fmt::format_to(to, " {}", frame.domain.periodic[k] || (planar && k == 2) ? "pp" : "ff");
    }
    out += "\n";
    for (int k = 0; k < 3; ++k) {  // a box must be finite: open sides end where the picture does
        const bool across = planar && k == 2;
        const double low = across ? -0.5 : frame.domain.low[k];
        const double high = across ? 0.5 : frame.domain.high[k];
        fmt::format_to(to, "{} {}\n", std::isfinite(low) ? low : seen.low[k],
                       std::isfinite(high) ? high : seen.high[k]);
    }
    const bool grains = !frame.sphere_grain.empty();  // then ids number the spheres, and `mol` is the grain
    out += grains ? "ITEM: ATOMS id mol type x y z" : "ITEM: ATOMS id type x y z";
    out += " vx vy vz omegax omegay omegaz fx fy fz radius mass\n";
    for (std::size_t i = 0; i < frame.id.size(); ++i) {
        if (grains) {
            fmt::format_to(to, "{} {} {}", i, frame.id[i], frame.material[i] + 1);
        } else {
            fmt::format_to(to, "{} {}", frame.id[i], frame.material[i] + 1);
        }
        for (const Vec3d& v : {frame.position[i], frame.velocity[i], frame.spin[i], frame.force[i]}) {
            fmt::format_to(to, " {} {} {}", v.x, v.y, v.z);
        }
        fmt::format_to(to, " {} {}\n", frame.radius[i], frame.mass[i]);
    }
    return out;
}

}  // namespace

void export_lammps_dump(const std::filesystem::path& source, const std::filesystem::path& path) {
    const std::vector<std::filesystem::path> frames = frames_of(source);
    AtomicFile file(path);
    for (const std::filesystem::path& frame : frames) {
        file.write(dump_frame(in_spheres(read_frame(frame))));
    }
    file.commit();
}

}  // namespace talus::output
