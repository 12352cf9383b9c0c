// The shortest program that uses an installed Talus: a ball falls for a tenth of a second.
#include <cstdio>

#include "talus/simulation/simulation.h"

const char* const ball = R"(
    time = { step = "10 us", end = "0.1 s" }
    gravity.uniform = [0, 0, -10]
    materials.glass.density = 2500
    contacts = [ { between = ["glass", "glass"], law = "hooke", kn = 1e4, restitution = 0.9 } ]
    fill = [ { material = "glass", radius = "1 cm", random = {}, count = 1, ball = { radius = "5 cm" } } ]
)";

int main() {
    talus::simulation::Simulation simulation(talus::scene::load_text(ball, "ball.toml"));
    simulation.step(10'000);
    std::printf("after %.3f s it falls at %.3f m/s\n", simulation.time(), -simulation.system().bodies.velocity[0].z);
}
