// A thin wrapper over HDF5: typed columns in, typed columns out, every return code checked at one place.
// A new file is built in memory and handed over as bytes, so that writing to the disk, and a full disk, is ours alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "talus/laws/parameter_block.h"
#include "talus/math/mat3.h"
#include "talus/math/vec3.h"
#include "talus/model/domain.h"
#include "talus/model/ledger.h"

namespace talus::output {

using math::Mat3d;
using math::Vec3d;

enum class Scalar { float64, int64, int32, uint64, uint32, uint8, int8 };

/// How a value lies in a dataset: as `width` scalars of one kind. A dataset of such values has shape (n, width), or
/// (n) where the width is one.
template <Scalar kind, std::size_t count>
struct Packed {
    static constexpr Scalar scalar = kind;
    static constexpr std::size_t width = count;
};
template <class T>
struct Element;
template <>
struct Element<double> : Packed<Scalar::float64, 1> {};
template <>
struct Element<std::int64_t> : Packed<Scalar::int64, 1> {};
template <>
struct Element<std::int32_t> : Packed<Scalar::int32, 1> {};
template <>
struct Element<std::uint64_t> : Packed<Scalar::uint64, 1> {};
template <>
struct Element<std::uint32_t> : Packed<Scalar::uint32, 1> {};
template <>
struct Element<std::uint8_t> : Packed<Scalar::uint8, 1> {};
template <>
struct Element<Vec3d> : Packed<Scalar::float64, 3> {};
template <>
struct Element<Mat3d> : Packed<Scalar::float64, 9> {};
template <std::size_t n>
struct Element<std::array<double, n>> : Packed<Scalar::float64, n> {};
template <>
struct Element<model::Image> : Packed<Scalar::int8, 3> {};
template <>
struct Element<laws::ParameterBlock>
    : Packed<Scalar::float64, std::tuple_size_v<decltype(laws::ParameterBlock::value)>> {};

constexpr std::size_t scalar_size(Scalar scalar) {
    switch (scalar) {
        case Scalar::int32:
        case Scalar::uint32:
            return 4;
        case Scalar::uint8:
        case Scalar::int8:
            return 1;
        default:
            return 8;
    }
}

/// The memory of a T is nothing but its scalars, in order.
template <class T>
concept Column = std::is_trivially_copyable_v<T> && sizeof(T) == Element<T>::width* scalar_size(Element<T>::scalar);

class Hdf5File {
public:
    /// A new file in memory. Columns of some size are compressed with gzip at `compression` (0: not at all) after
    /// shuffling bytes.
    static Hdf5File create(int compression = 0);
    /// An existing file, for reading. Reading throws base::InputError that names the file; writing base::RunError.
    static Hdf5File open(const std::filesystem::path& path);
    /// Whether the file is there and begins like HDF5.
    static bool recognises(const std::filesystem::path& path);

    Hdf5File(Hdf5File&&) noexcept;
    Hdf5File& operator=(Hdf5File&&) noexcept;
    ~Hdf5File();

    // Names are paths, "particles/position"; groups come into being as needed.
    template <Column T>
    void write(const std::string& name, const std::vector<T>& column) {
        write_raw(name, Element<T>::scalar, {column.size(), Element<T>::width}, column.data());
    }
    template <Column T>
    void write(const std::string& name, const T& value) {
        write_raw(name, Element<T>::scalar, {no_rows, Element<T>::width}, &value);
    }
    void write(const std::string& name, const std::string& text);
    void write(const std::string& name, const std::vector<std::string>& texts);

    bool has(const std::string& name) const;
    template <Column T>
    void read(const std::string& name, std::vector<T>& column) const {
        const std::size_t count = rows(name, Element<T>::width);
        if (count == no_rows) {
            fail("\"" + name + "\" is one value where a list is expected");
        }
        column.resize(count);
        read_raw(name, Element<T>::scalar, column.data());
    }
    template <Column T>
    void read(const std::string& name, T& value) const {
        if (rows(name, Element<T>::width) != no_rows) {
            fail("\"" + name + "\" is a list where one value is expected");
        }
        read_raw(name, Element<T>::scalar, &value);
    }
    void read(const std::string& name, std::string& text) const;
    void read(const std::string& name, std::vector<std::string>& texts) const;
    /// A column of numbers of any kind, `width` of them a row.
    struct Numbers {
        std::size_t width = 1;
        std::vector<double> values;
    };
    Numbers read_numbers(const std::string& name) const;
    /// The names inside a group, in alphabetical order; none where there is no such group.
    std::vector<std::string> names_in(const std::string& group) const;

    // Attributes of the root.
    void set_attribute(const std::string& name, double value);
    void set_attribute(const std::string& name, std::int64_t value);
    void set_attribute(const std::string& name, const std::string& value);
    bool has_attribute(const std::string& name) const;
    void attribute(const std::string& name, double& value) const;
    void attribute(const std::string& name, std::int64_t& value) const;
    void attribute(const std::string& name, std::string& value) const;

    /// The bytes of a new file, complete. HDF5 also reads them behind a block of 512 bytes (or 1024, 2048, ...) that is
    /// free for other use.
    std::vector<unsigned char> image();

    /// Throws what is fitting: the file is unusable (reading) or cannot be made (writing).
    [[noreturn]] void fail(const std::string& what) const;

private:
    static constexpr std::size_t no_rows = static_cast<std::size_t>(-1);  // a single value instead of a list
    struct Extent {
        std::size_t rows, width;
    };
    class Library;

    Hdf5File() = default;
    std::size_t rows(const std::string& name, std::size_t width) const;
    void write_raw(const std::string& name, Scalar scalar, Extent extent, const void* data);
    void read_raw(const std::string& name, Scalar scalar, void* data) const;

    std::unique_ptr<Library> library_;
};

}  // namespace talus::output
