// Physical dimensions as exponents of the SI base units; the scene checks every number against one.
#pragma once

namespace talus::base {

struct Dimension {
    int length = 0;   // m
    int mass = 0;     // kg
    int time = 0;     // s
    int current = 0;  // A

    friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

namespace dimension {
inline constexpr Dimension none{};  // angles are radians and count as plain numbers
inline constexpr Dimension length{1, 0, 0};
inline constexpr Dimension time{0, 0, 1};
inline constexpr Dimension mass{0, 1, 0};
inline constexpr Dimension velocity{1, 0, -1};
inline constexpr Dimension acceleration{1, 0, -2};
inline constexpr Dimension angular_velocity{0, 0, -1};
inline constexpr Dimension frequency{0, 0, -1};
inline constexpr Dimension density{-3, 1, 0};
inline constexpr Dimension stiffness{0, 1, -2};  // N/m
inline constexpr Dimension damping{0, 1, -1};    // kg/s
inline constexpr Dimension pressure{-1, 1, -2};
inline constexpr Dimension force{1, 1, -2};
inline constexpr Dimension energy{2, 1, -2};
inline constexpr Dimension torque{2, 1, -2};
inline constexpr Dimension inertia{2, 1, 0};           // kg m2
inline constexpr Dimension angular_damping{2, 1, -1};  // N m s
inline constexpr Dimension area{2, 0, 0};
inline constexpr Dimension gravitation{3, -1, -2};  // m3/(kg s2)
inline constexpr Dimension charge{0, 0, 1, 1};
inline constexpr Dimension electric_field{1, 1, -3, -1};
inline constexpr Dimension magnetic_field{0, 1, -2, -1};
inline constexpr Dimension electric_dipole{1, 0, 1, 1};
inline constexpr Dimension magnetic_dipole{2, 0, 0, 1};
}  // namespace dimension

}  // namespace talus::base
