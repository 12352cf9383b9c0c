// The shortest program that uses an installed Talus.
#include <cstdio>
#include <string>

#include "talus/base/diagnostics.h"
#include "talus/base/version.h"

int main() {
    const std::string name = talus::base::nearest_name("densty", {"density", "radius"});
    std::printf("Talus %s: %s\n", std::string(talus::base::version()).c_str(), name.c_str());
    return name == "density" ? 0 : 1;
}
