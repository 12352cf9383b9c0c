#include "talus/output/vtk_file.h"

#include <fmt/format.h>

#include <bit>
#include <type_traits>

#include "talus/output/atomic_file.h"

namespace talus::output {
namespace {

template <class T>
constexpr const char* vtk_type() {
    if constexpr (std::is_same_v<T, std::int32_t>) {
        return "Int32";
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
        return "Int64";
    } else {
        return "Float64";
    }
}

/// Collects the XML head and, in step with it, where each array will lie in the appended data.
class Head {
public:
    void line(const std::string& text) { text_ += text + "\n"; }
    template <class T>
    void array(const std::string& name, const std::vector<T>& values, std::size_t components) {
        components = std::is_same_v<T, Vec3d> ? 3 : components;
        line(fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)",
                         vtk_type<T>(), name, components, offset_));
        blocks_.push_back({values.data(), values.size() * sizeof(T)});
        offset_ += sizeof(std::uint64_t) + values.size() * sizeof(T);
    }
    void cells(const char* tag, const VtkCells& cells) {
        line(fmt::format("<{}>", tag));
        array("connectivity", cells.connectivity, 1);
        array("offsets", cells.offsets, 1);
        line(fmt::format("</{}>", tag));
    }
    void data(const char* tag, const std::vector<VtkArray>& arrays) {
        line(fmt::format("<{}>", tag));
        for (const VtkArray& a : arrays) {
            std::visit([&](const auto& values) { array(a.name, values, a.components); }, a.values);
        }
        line(fmt::format("</{}>", tag));
    }
    void write(AtomicFile& file) const {
        file.write(text_);
        file.write("<AppendedData encoding=\"raw\">\n_");
        for (const Block& block : blocks_) {
            const std::uint64_t size = block.size;
            file.write(&size, sizeof(size));
            file.write(block.data, block.size);
        }
        file.write("\n</AppendedData>\n</VTKFile>\n");
    }

private:
    struct Block {
        const void* data;
        std::size_t size;  // bytes
    };
    std::string text_;
    std::vector<Block> blocks_;
    std::size_t offset_ = 0;
};

constexpr const char* byte_order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";

}  // namespace

void write_vtp(const std::filesystem::path& path, const PolyData& data, double time) {
    Head head;
    head.line("<?xml version=\"1.0\"?>");
    head.line(
        fmt::format(R"(<VTKFile type="PolyData" version="1.0" byte_order="{}" header_type="UInt64">)", byte_order));
    head.line("<PolyData>");
    head.line("<FieldData>");
    head.line(fmt::format(
        R"(<DataArray type="Float64" Name="TimeValue" NumberOfTuples="1" format="ascii">{}</DataArray>)", time));
    head.line("</FieldData>");
    head.line(fmt::format(
        R"(<Piece NumberOfPoints="{}" NumberOfVerts="{}" NumberOfLines="{}" NumberOfStrips="0" NumberOfPolys="{}">)",
        data.points.size(), data.verts.size(), data.lines.size(), data.polys.size()));
    head.line("<Points>");
    head.array("Points", data.points, 3);
    head.line("</Points>");
    head.data("PointData", data.point_data);
    head.data("CellData", data.cell_data);
    head.cells("Verts", data.verts);
    head.cells("Lines", data.lines);
    head.cells("Polys", data.polys);
    head.line("</Piece>");
    head.line("</PolyData>");
    AtomicFile file(path);
    head.write(file);
    file.commit();
}

void write_pvd(const std::filesystem::path& path, const std::vector<std::pair<double, std::string>>& entries) {
    std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
    for (const auto& [time, file] : entries) {
        text += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time, file);
    }
    write_text_file(path, text + "</Collection>\n</VTKFile>\n");
}

}  // namespace talus::output
