// Grains from a Talus frame or checkpoint.
#include <fmt/core.h>
#include <hdf5.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>

#include "talus/scene/file_fill.h"
#include "talus/scene/file_fill_text.h"

namespace talus::scene {

namespace {

/// An HDF5 identifier that is closed with its scope.
class Handle {
public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0) {
            close_(id_);
        }
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    explicit operator bool() const { return id_ >= 0; }
    hid_t get() const { return id_; }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// HDF5 prints its errors unless told otherwise; ours say what the user needs.
class Quiet {
public:
    Quiet() {
        H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

private:
    H5E_auto2_t print_ = nullptr;
    void* data_ = nullptr;
};

bool exists(hid_t file, const std::string& name) {
    return H5Lexists(file, "particles", H5P_DEFAULT) > 0 && H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0;
}

/// A dataset of `width` numbers a row; the numbers row by row, or nothing with a fault reported.
std::optional<std::vector<double>> read_column(hid_t file, const std::string& name, std::size_t width,
                                               FileFaults& faults) {
    const Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle space(set ? H5Dget_space(set.get()) : -1, H5Sclose);
    std::array<hsize_t, 2> extent{0, 1};
    const int rank = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
    if (rank == (width == 1 ? 1 : 2)) {
        H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
    }
    if (rank != (width == 1 ? 1 : 2) || extent[1] != width) {
        faults.error(0, 0, fmt::format("/{} has the wrong shape", name),
                     width == 1 ? "one number a grain" : fmt::format("{} numbers a grain", width));
        return std::nullopt;
    }
    std::vector<double> values(extent[0] * width);
    if (!values.empty() && H5Dread(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
        faults.error(0, 0, fmt::format("/{} cannot be read as numbers", name));
        return std::nullopt;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            faults.error(0, 0, fmt::format("/{}: row {} holds {}, which is not finite", name, i / width, values[i]));
        }
    }
    return values;
}

/// Gives each grain its row of a column.
template <class Assign>
void fill_in(std::vector<Grain>& grains, hid_t file, const std::string& name, std::size_t width, FileFaults& faults,
             Assign assign) {
    const std::optional<std::vector<double>> values = read_column(file, name, width, faults);
    if (!values) {
        return;
    }
    if (values->size() != grains.size() * width) {
        faults.error(
            0, 0, fmt::format("/{} has {} rows, /particles/position {}", name, values->size() / width, grains.size()));
        return;
    }
    for (std::size_t i = 0; i < grains.size(); ++i) {
        assign(grains[i], values->data() + i * width, i);
    }
}

void check_positive(double value, const char* what, std::size_t row, FileFaults& faults) {
    if (value <= 0) {
        faults.error(0, 0, fmt::format("/particles/{}: row {} holds {}, which is not positive", what, row, value));
    }
}

}  // namespace

std::vector<Grain> read_frame(const std::string& path, const std::string& key, base::Diagnostics& diagnostics) {
    FileFaults faults(path, key, diagnostics);
    const Quiet quiet;
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file) {
        std::error_code ignored;
        faults.error(0, 0,
                     std::filesystem::exists(path, ignored) ? "this is not an HDF5 file"
                                                            : fmt::format("cannot read \"{}\"", path),
                     "a Talus frame or checkpoint");
        return {};
    }
    for (const char* name : {"particles/position", "particles/radius"}) {
        if (!exists(file.get(), name)) {
            faults.error(0, 0, fmt::format("there is no /{}", name), "a Talus frame or checkpoint");
            return {};
        }
    }
    const std::optional<std::vector<double>> positions = read_column(file.get(), "particles/position", 3, faults);
    if (!positions) {
        return {};
    }
    std::vector<Grain> grains(positions->size() / 3);
    for (std::size_t i = 0; i < grains.size(); ++i) {
        grains[i].position = {(*positions)[3 * i], (*positions)[3 * i + 1], (*positions)[3 * i + 2]};
    }
    fill_in(grains, file.get(), "particles/radius", 1, faults, [&](Grain& g, const double* v, std::size_t row) {
        check_positive(*v, "radius", row, faults);
        g.radius = *v;
    });
    if (exists(file.get(), "particles/velocity")) {
        fill_in(grains, file.get(), "particles/velocity", 3, faults, [](Grain& g, const double* v, std::size_t) {
            g.velocity = {v[0], v[1], v[2]};
        });
    }
    if (exists(file.get(), "particles/spin")) {
        fill_in(grains, file.get(), "particles/spin", 3, faults, [](Grain& g, const double* v, std::size_t) {
            g.spin = {v[0], v[1], v[2]};
        });
    }
    if (exists(file.get(), "particles/mass")) {
        fill_in(grains, file.get(), "particles/mass", 1, faults, [&](Grain& g, const double* v, std::size_t row) {
            check_positive(*v, "mass", row, faults);
            g.mass = *v;
        });
    }
    return grains;
}

std::vector<Grain> read_grains(const std::string& path, const std::string& key, base::Diagnostics& diagnostics,
                               bool planar) {
    const std::string ending = std::filesystem::path(path).extension().string();
    if (ending == ".csv") {
        return read_csv(path, key, diagnostics, planar);
    }
    if (ending == ".data" || ending == ".lmp") {
        return read_lammps_data(path, key, diagnostics);
    }
    if (ending == ".h5" || ending == ".hdf5") {
        return read_frame(path, key, diagnostics);
    }
    diagnostics.error({path, 0, 0}, key, fmt::format("the ending \"{}\" tells no format that Talus reads", ending),
                      ".csv, .data, .lmp or .h5");
    return {};
}

}  // namespace talus::scene
