#include "talus/simulation/pictures.h"

#include "talus/base/diagnostics.h"

#ifdef TALUS_HAS_RENDER
#include "talus/render/render.h"
#endif

namespace talus::simulation {

std::size_t make_pictures([[maybe_unused]] const RenderOptions& options) {
#ifdef TALUS_HAS_RENDER
    return render::render(options);
#else
    throw base::InputError(
        "this Talus was built without what pictures need; install libembree-dev, libpng-dev, libfreetype-dev and "
        "fonts-dejavu-core, and build again");
#endif
}

}  // namespace talus::simulation
