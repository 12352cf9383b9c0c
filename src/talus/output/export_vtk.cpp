// Frames as VTK PolyData.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "talus/base/diagnostics.h"
#include "talus/output/atomic_file.h"
#include "talus/output/export.h"
#include "talus/output/run_folder.h"

namespace talus::output {
namespace {

// Point Gaussian draws each grain as a shaded sphere whose radius is the array's value: no factor to find.
constexpr const char* paraview_script = R"PY(
# Opens this export in ParaView: grains at true size, walls see-through, contacts coloured by force.
# Use: paraview --script=open_in_paraview.py   (from this folder)
import os

from paraview.simple import *

try:
    here = os.path.dirname(os.path.abspath(__file__))
except NameError:
    here = os.getcwd()


def collection(name):
    source = PVDReader(registrationName=name, FileName=os.path.join(here, name + ".pvd"))
    source.UpdatePipeline()
    return source


view = GetActiveViewOrCreate("RenderView")
grains = Show(collection("grains"), view)
grains.SetRepresentationType("Point Gaussian")
grains.ShaderPreset = "Sphere"
grains.ScaleByArray = 1
grains.SetScaleArray = ["POINTS", "radius"]
grains.UseScaleFunction = 0
grains.GaussianRadius = 1.0
ColorBy(grains, ("POINTS", "speed"))

walls = Show(collection("walls"), view)
ColorBy(walls, None)
walls.Opacity = 0.25

contacts = Show(collection("contacts"), view)
ColorBy(contacts, ("POINTS", "force_magnitude"))
contacts.LineWidth = 2.0

GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
ResetCamera(view)
Render(view)
)PY";

/// Where the line of a contact that begins at the centre of grain `a` ends.
Vec3d line_end(const FrameFile& frame, const model::ContactSample& contact, std::size_t a) {
    const std::optional<std::size_t> b = contact.wall < 0 ? row_of(frame.id, contact.b) : std::nullopt;
    if (!b) {
        return contact.point;
    }
    const std::size_t j = *b;
    const bool beside = math::norm(frame.position[j] - frame.position[a]) <= 2 * (frame.radius[a] + frame.radius[j]);
    // Across a periodic border the partner is far away: the line goes to where its image is.
    return beside ? frame.position[j] : contact.point + contact.normal * frame.radius[j];
}

/// Adds the points and cells of `part` to `whole`.
void append(PolyData& whole, const PolyData& part) {
    const auto shift = static_cast<std::int64_t>(whole.points.size());
    whole.points.insert(whole.points.end(), part.points.begin(), part.points.end());
    const auto join = [shift](VtkCells& to, const VtkCells& from) {
        const auto begin = static_cast<std::int64_t>(to.connectivity.size());
        for (const std::int64_t point : from.connectivity) {
            to.connectivity.push_back(point + shift);
        }
        for (const std::int64_t end : from.offsets) {
            to.offsets.push_back(end + begin);
        }
    };
    join(whole.verts, part.verts);
    join(whole.lines, part.lines);
    join(whole.polys, part.polys);
}

}  // namespace

std::vector<std::filesystem::path> frames_of(const std::filesystem::path& source) {
    std::error_code none;
    if (!std::filesystem::exists(source, none)) {
        throw base::InputError(source.string() + ": no such file or folder");
    }
    if (!std::filesystem::is_directory(source, none)) {
        return {source};
    }
    std::vector<std::filesystem::path> frames = list_frames(source);
    if (frames.empty()) {
        throw base::InputError(source.string() + ": holds no frames (expected " + frame_path(source, 0).string() +
                               " and so on)");
    }
    return frames;
}

PolyData grains_as_vtk(const FrameFile& frame) {
    PolyData out;
    out.points = frame.position;
    const std::size_t count = frame.id.size();
    std::vector<double> diameter(count), speed(count), stress;
    for (std::size_t i = 0; i < count; ++i) {
        out.verts.add({static_cast<std::int64_t>(i)});
        diameter[i] = 2 * frame.radius[i];
        speed[i] = math::norm(frame.velocity[i]);
    }
    out.point_data = {{"radius", frame.radius},
                      {"diameter", diameter},
                      {"speed", speed},
                      {"velocity", frame.velocity},
                      {"spin", frame.spin},
                      {"force", frame.force},
                      {"mass", frame.mass},
                      {"id", frame.id},
                      {"material", frame.material},
                      {"coordination", frame.coordination}};
    if (!frame.stress.empty()) {
        for (const Stress& s : frame.stress) {  // VTK's order of a symmetric tensor: xx, yy, zz, xy, yz, xz
            stress.insert(stress.end(), {s[0], s[1], s[2], s[5], s[3], s[4]});
        }
        out.point_data.push_back({"stress", stress, 6});
    }
    return out;
}

PolyData walls_as_vtk(const FrameFile& frame, const Bounds& bounds) {
    PolyData out;
    std::vector<std::int32_t> wall_of_vert, wall_of_line, wall_of_poly;
    for (std::size_t w = 0; w < frame.walls.size(); ++w) {
        if (!frame.walls[w].present) {
            continue;
        }
        append(out, wall_surface(frame.walls[w], bounds));
        const auto number = static_cast<std::int32_t>(w);
        wall_of_vert.resize(out.verts.size(), number);
        wall_of_line.resize(out.lines.size(), number);
        wall_of_poly.resize(out.polys.size(), number);
    }
    std::vector<std::int32_t> wall = wall_of_vert;
    wall.insert(wall.end(), wall_of_line.begin(), wall_of_line.end());
    wall.insert(wall.end(), wall_of_poly.begin(), wall_of_poly.end());
    std::vector<Vec3d> force;
    for (const std::int32_t w : wall) {
        force.push_back(frame.walls[static_cast<std::size_t>(w)].force);
    }
    out.cell_data = {{"wall", wall}, {"force", force}};
    return out;
}

PolyData contacts_as_vtk(const FrameFile& frame) {
    PolyData out;
    std::vector<double> magnitude, normal_force, overlap;
    std::vector<Vec3d> force;
    std::vector<std::int64_t> id_a, id_b;
    std::vector<std::int32_t> wall;
    for (const model::ContactSample& contact : frame.contacts) {
        const std::optional<std::size_t> a = row_of(frame.id, contact.a);
        if (!a) {
            continue;
        }
        const auto first = static_cast<std::int64_t>(out.points.size());
        out.points.push_back(frame.position[*a]);
        out.points.push_back(line_end(frame, contact, *a));
        out.lines.add({first, first + 1});
        magnitude.insert(magnitude.end(), 2, math::norm(contact.force));
        normal_force.push_back(-math::dot(contact.force, contact.normal));  // positive: they push apart
        overlap.push_back(contact.overlap);
        force.push_back(contact.force);
        id_a.push_back(contact.a);
        id_b.push_back(contact.b);
        wall.push_back(contact.wall);
    }
    // The magnitude lies at the points, where the Tube filter can scale its radius by it.
    out.point_data = {{"force_magnitude", magnitude}};
    out.cell_data = {{"force", force}, {"normal_force", normal_force}, {"overlap", overlap}, {"a", id_a}, {"b", id_b},
                     {"wall", wall}};
    return out;
}

std::vector<std::filesystem::path> export_vtk(const std::filesystem::path& source,
                                              const std::filesystem::path& folder) {
    const std::vector<std::filesystem::path> frames = frames_of(source);
    Bounds bounds;  // of all frames together, so that infinite walls do not change size in a movie
    for (const std::filesystem::path& path : frames) {
        bounds.add(visible_bounds(read_frame(path)));
    }
    bounds = bounds.widened(0.02);
    make_folder(folder);
    std::map<std::string, std::vector<std::pair<double, std::string>>> collections;
    std::vector<std::filesystem::path> files;
    for (const std::filesystem::path& path : frames) {
        const FrameFile frame = read_frame(path);
        const auto write = [&](const std::string& what, const PolyData& data) {
            const std::string name = fmt::format("{}_{}.vtp", what, path.stem().string());
            write_vtp(folder / name, data, frame.time);
            collections[what].emplace_back(frame.time, name);
            files.push_back(folder / name);
        };
        write("grains", grains_as_vtk(in_spheres(frame)));
        write("walls", walls_as_vtk(frame, bounds));
        write("contacts", contacts_as_vtk(frame));
    }
    std::vector<std::filesystem::path> written;
    for (const char* what : {"grains", "walls", "contacts"}) {
        written.push_back(folder / (std::string(what) + ".pvd"));
        write_pvd(written.back(), collections[what]);
    }
    written.push_back(folder / "open_in_paraview.py");
    write_text_file(written.back(), paraview_script + 1);  // without the line end in front
    written.insert(written.end(), files.begin(), files.end());
    return written;
}

}  // namespace talus::output
