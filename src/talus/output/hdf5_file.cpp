#include "talus/output/hdf5_file.h"

#include <hdf5.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <utility>

#include "talus/base/diagnostics.h"

namespace talus::output {
namespace {

constexpr hsize_t chunk_bytes = 1U << 18U;  // 256 KiB: big enough to compress well, small enough for HDF5's chunk cache
constexpr std::size_t smallest_compressed = 4096;  // bytes; below that a chunk's bookkeeping eats the gain

/// An HDF5 handle that closes itself.
class Handle {
public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&&) = delete;
    ~Handle() {
        if (id_ >= 0) {
            close_(id_);
        }
    }
    operator hid_t() const { return id_; }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

hid_t memory_type(Scalar scalar) {
    switch (scalar) {
        case Scalar::float64:
            return H5T_NATIVE_DOUBLE;
        case Scalar::int64:
            return H5T_NATIVE_INT64;
        case Scalar::int32:
            return H5T_NATIVE_INT32;
        case Scalar::uint64:
            return H5T_NATIVE_UINT64;
        case Scalar::uint32:
            return H5T_NATIVE_UINT32;
        case Scalar::uint8:
            return H5T_NATIVE_UINT8;
        case Scalar::int8:
            return H5T_NATIVE_INT8;
    }
    return -1;
}

}  // namespace

/// The open file and the one place that looks at return codes.
class Hdf5File::Library {
public:
    Library(std::filesystem::path path, bool reading) : path_(std::move(path)), reading_(reading) {
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // faults become exceptions; HDF5 prints nothing itself
    }
    ~Library() {
        if (file >= 0) {
            H5Fclose(file);
        }
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    [[noreturn]] void fail(const std::string& what) const {
        if (reading_) {
            throw base::InputError(path_.string() + ": " + what);
        }
        throw base::RunError("cannot build HDF5 file: " + what);
    }
    template <class Code>
    Code check(Code code, const std::string& name) const {
        if (code < 0) {
            fail(reading_ ? "cannot read \"" + name + "\" (missing, damaged or of another type)"
                          : "HDF5 refuses \"" + name + "\"");
        }
        return code;
    }
    Handle own(hid_t id, herr_t (*close)(hid_t), const std::string& name) const { return {check(id, name), close}; }

    Handle text_type(const std::string& name) const {
        Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose, name);
        check(H5Tset_size(type, H5T_VARIABLE), name);
        check(H5Tset_cset(type, H5T_CSET_UTF8), name);
        return type;
    }
    Handle open_dataset(const std::string& name) const {
        return own(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name);
    }
    Handle create_dataset(const std::string& name, hid_t type, hid_t space, hid_t properties) const {
        const Handle links = own(H5Pcreate(H5P_LINK_CREATE), H5Pclose, name);
        check(H5Pset_create_intermediate_group(links, 1), name);
        return own(H5Dcreate2(file, name.c_str(), type, space, links, properties, H5P_DEFAULT), H5Dclose, name);
    }
    /// Without times of creation, so that equal contents give equal bytes.
    Handle dataset_properties(const std::string& name) const {
        Handle properties = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
        check(H5Pset_obj_track_times(properties, false), name);
        return properties;
    }
    void write_texts(const std::string& name, hid_t space, const std::vector<const char*>& texts) const {
        const Handle type = text_type(name);
        const Handle properties = dataset_properties(name);
        const Handle dataset = create_dataset(name, type, space, properties);
        if (!texts.empty()) {
            check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()), name);
        }
    }
    std::vector<std::string> read_texts(const std::string& name) const {
        const Handle dataset = open_dataset(name);
        const Handle space = own(H5Dget_space(dataset), H5Sclose, name);
        const Handle stored = own(H5Dget_type(dataset), H5Tclose, name);
        if (check(H5Tis_variable_str(stored), name) == 0) {
            fail("\"" + name + "\" is not text");
        }
        const Handle type = text_type(name);
        const auto count = static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space), name));
        std::vector<char*> raw(count, nullptr);
        std::vector<std::string> texts(count);
        if (count > 0) {
            check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw.data()), name);
            for (std::size_t i = 0; i < count; ++i) {
                texts[i] = raw[i] != nullptr ? raw[i] : "";
            }
            check(H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw.data()), name);
        }
        return texts;
    }
    void write_attribute(const std::string& name, hid_t type, const void* value) const {
        const Handle space = own(H5Screate(H5S_SCALAR), H5Sclose, name);
        const Handle attribute =
            own(H5Acreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
        check(H5Awrite(attribute, type, value), name);
    }
    void read_attribute(const std::string& name, hid_t type, void* value) const {
        const Handle attribute = own(H5Aopen(file, name.c_str(), H5P_DEFAULT), H5Aclose, name);
        const Handle space = own(H5Aget_space(attribute), H5Sclose, name);
        if (check(H5Sget_simple_extent_npoints(space), name) != 1) {
            fail("attribute \"" + name + "\" is not one value");
        }
        check(H5Aread(attribute, type, value), name);
    }

    hid_t file = -1;
    int compression = 0;

private:
    std::filesystem::path path_;
    bool reading_;
};

Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&&) noexcept = default;
Hdf5File::~Hdf5File() = default;

Hdf5File Hdf5File::create(int compression) {
    Hdf5File out;
    out.library_ = std::make_unique<Library>("", false);
    Library& library = *out.library_;
    library.compression = compression;
    const Handle access = library.own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "/");
    library.check(H5Pset_fapl_core(access, std::size_t{1} << 22U, false), "/");
    const Handle creation = library.own(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "/");
    library.check(H5Pset_obj_track_times(creation, false), "/");
    // The core driver touches no disk here: the name only has to be unused by other open files.
    static std::atomic<std::uint64_t> count = 0;
    const std::string name = "talus-in-memory-" + std::to_string(++count);
    library.file = library.check(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation, access), "/");
    return out;
}

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
    Hdf5File out;
    out.library_ = std::make_unique<Library>(path, true);
    Library& library = *out.library_;
    std::error_code none;
    if (!std::filesystem::exists(path, none)) {
        library.fail("no such file");
    }
    library.file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (library.file < 0) {
        library.fail("not an HDF5 file, or damaged");
    }
    return out;
}

bool Hdf5File::recognises(const std::filesystem::path& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    std::error_code none;
    return std::filesystem::is_regular_file(path, none) && H5Fis_hdf5(path.c_str()) > 0;
}

void Hdf5File::fail(const std::string& what) const {
    library_->fail(what);
}

void Hdf5File::write_raw(const std::string& name, Scalar scalar, Extent extent, const void* data) {
    const Library& library = *library_;
    std::vector<hsize_t> shape;
    if (extent.rows != no_rows) {
        shape.push_back(extent.rows);
    }
    if (extent.width != 1) {
        shape.push_back(extent.width);
    }
    const Handle space = library.own(
        shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
        H5Sclose, name);
    const Handle properties = library.dataset_properties(name);
    const std::size_t row_bytes = extent.width * scalar_size(scalar);
    if (library.compression > 0 && extent.rows != no_rows && extent.rows * row_bytes >= smallest_compressed) {
        std::vector<hsize_t> chunk = shape;
        chunk[0] = std::clamp<hsize_t>(chunk_bytes / row_bytes, 1, chunk[0]);
        library.check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), name);
        library.check(H5Pset_shuffle(properties), name);
        library.check(H5Pset_deflate(properties, static_cast<unsigned>(library.compression)), name);
    }
    const hid_t type = memory_type(scalar);
    const Handle dataset = library.create_dataset(name, type, space, properties);
    if (extent.rows != 0) {
        library.check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name);
    }
}

std::size_t Hdf5File::rows(const std::string& name, std::size_t width) const {
    const Library& library = *library_;
    const Handle dataset = library.open_dataset(name);
    const Handle space = library.own(H5Dget_space(dataset), H5Sclose, name);
    const int rank = library.check(H5Sget_simple_extent_ndims(space), name);
    std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
    library.check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), name);
    if (width != 1) {
        if (shape.empty() || shape.back() != width) {
            library.fail("\"" + name + "\" does not hold " + std::to_string(width) + " numbers a row");
        }
        shape.pop_back();
    }
    if (shape.size() > 1) {
        library.fail("\"" + name + "\" has too many dimensions");
    }
    return shape.empty() ? no_rows : shape[0];
}

void Hdf5File::read_raw(const std::string& name, Scalar scalar, void* data) const {
    const Library& library = *library_;
    const Handle dataset = library.open_dataset(name);
    if (data != nullptr) {
        library.check(H5Dread(dataset, memory_type(scalar), H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name);
    }
}

void Hdf5File::write(const std::string& name, const std::string& text) {
    const Handle space = library_->own(H5Screate(H5S_SCALAR), H5Sclose, name);
    library_->write_texts(name, space, {text.c_str()});
}

void Hdf5File::write(const std::string& name, const std::vector<std::string>& texts) {
    const hsize_t count = texts.size();
    const Handle space = library_->own(H5Screate_simple(1, &count, nullptr), H5Sclose, name);
    std::vector<const char*> raw;
    for (const std::string& text : texts) {
        raw.push_back(text.c_str());
    }
    library_->write_texts(name, space, raw);
}

void Hdf5File::read(const std::string& name, std::vector<std::string>& texts) const {
    texts = library_->read_texts(name);
}

void Hdf5File::read(const std::string& name, std::string& text) const {
    std::vector<std::string> texts = library_->read_texts(name);
    if (texts.size() != 1) {
        fail("\"" + name + "\" is not one text");
    }
    text = std::move(texts[0]);
}

Hdf5File::Numbers Hdf5File::read_numbers(const std::string& name) const {
    const Library& library = *library_;
    const Handle dataset = library.open_dataset(name);
    const Handle type = library.own(H5Dget_type(dataset), H5Tclose, name);
    const H5T_class_t kind = H5Tget_class(type);
    const Handle space = library.own(H5Dget_space(dataset), H5Sclose, name);
    const int rank = library.check(H5Sget_simple_extent_ndims(space), name);
    if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || rank < 1 || rank > 2) {
        fail("\"" + name + "\" is no column of numbers");
    }
    std::array<hsize_t, 2> shape{0, 1};
    library.check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), name);
    Numbers out{static_cast<std::size_t>(shape[1]), std::vector<double>(shape[0] * shape[1])};
    read_raw(name, Scalar::float64, out.values.empty() ? nullptr : out.values.data());
    return out;
}

std::vector<std::string> Hdf5File::names_in(const std::string& group) const {
    std::vector<std::string> names;
    if (!has(group)) {
        return names;
    }
    const Library& library = *library_;
    const Handle opened = library.own(H5Gopen2(library.file, group.c_str(), H5P_DEFAULT), H5Gclose, group);
    H5G_info_t info{};
    library.check(H5Gget_info(opened, &info), group);
    const auto name_at = [&](hsize_t i, char* text, std::size_t size) {
        return library.check(H5Lget_name_by_idx(opened, ".", H5_INDEX_NAME, H5_ITER_INC, i, text, size, H5P_DEFAULT),
                             group);
    };
    for (hsize_t i = 0; i < info.nlinks; ++i) {
        std::string name(static_cast<std::size_t>(name_at(i, nullptr, 0)), '\0');
        name_at(i, name.data(), name.size() + 1);
        names.push_back(name);
    }
    return names;
}

bool Hdf5File::has(const std::string& name) const {
    for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
        if (H5Lexists(library_->file, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) {
            return false;  // HDF5 wants each group on the way asked for by itself
        }
    }
    return H5Lexists(library_->file, name.c_str(), H5P_DEFAULT) > 0;
}

void Hdf5File::set_attribute(const std::string& name, double value) {
    library_->write_attribute(name, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5File::set_attribute(const std::string& name, std::int64_t value) {
    library_->write_attribute(name, H5T_NATIVE_INT64, &value);
}

void Hdf5File::set_attribute(const std::string& name, const std::string& value) {
    const char* text = value.c_str();
    library_->write_attribute(name, library_->text_type(name), &text);
}

bool Hdf5File::has_attribute(const std::string& name) const {
    return H5Aexists(library_->file, name.c_str()) > 0;
}

void Hdf5File::attribute(const std::string& name, double& value) const {
    library_->read_attribute(name, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5File::attribute(const std::string& name, std::int64_t& value) const {
    library_->read_attribute(name, H5T_NATIVE_INT64, &value);
}

void Hdf5File::attribute(const std::string& name, std::string& value) const {
    char* text = nullptr;
    library_->read_attribute(name, library_->text_type(name), &text);
    value = text != nullptr ? text : "";
    library_->check(H5free_memory(text), name);
}

std::vector<unsigned char> Hdf5File::image() {
    const Library& library = *library_;
    library.check(H5Fflush(library.file, H5F_SCOPE_LOCAL), "/");
    const ssize_t size = library.check(H5Fget_file_image(library.file, nullptr, 0), "/");
    std::vector<unsigned char> bytes(static_cast<std::size_t>(size));
    library.check(H5Fget_file_image(library.file, bytes.data(), bytes.size()), "/");
    return bytes;
}

}  // namespace talus::output
