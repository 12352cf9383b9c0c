#include "talus/render/picture.h"

#include <png.h>

#include <cmath>
#include <stdexcept>

namespace talus::render {

std::vector<std::uint8_t> bytes_of(const Picture& picture) {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(3 * picture.pixels.size());
    for (const Rgb& pixel : picture.pixels) {
        const Rgb c = encoded(pixel);
        for (const float part : {c.r, c.g, c.b}) {
            bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * part)));
        }
    }
    return bytes;
}

std::vector<std::uint8_t> png_of(const Picture& picture) {
    const std::vector<std::uint8_t> bytes = bytes_of(picture);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::vector<std::uint8_t> file(size);
    if (png_image_write_to_memory(&image, file.data(), &size, 0, bytes.data(), 0, nullptr) == 0) {
        throw std::runtime_error(std::string("libpng: ") + image.message);
    }
    file.resize(size);
    return file;
}

}  // namespace talus::render
