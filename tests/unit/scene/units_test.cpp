// Units: values, dimensions, and what is refused.
#include "talus/scene/units.h"

#include <gtest/gtest.h>

#include <numbers>
#include <ostream>

namespace talus::scene {
namespace {

using base::Dimension;
using std::numbers::pi;

struct Good {
    const char* text;
    double value;
    Dimension dimension;
};
void PrintTo(const Good& good, std::ostream* out) {
    *out << '"' << good.text << '"';
}

class GoodUnits : public testing::TestWithParam<Good> {};

TEST_P(GoodUnits, AreReadToSi) {
    QuantityFault fault;
    const Quantity q = parse_quantity(GetParam().text, fault);
    EXPECT_EQ(fault.message, "");
    EXPECT_DOUBLE_EQ(q.value, GetParam().value);
    EXPECT_EQ(q.dimension, GetParam().dimension);
}

INSTANTIATE_TEST_SUITE_P(
    Table, GoodUnits,
    testing::Values(
        Good{"3 us", 3e-6, base::dimension::time}, Good{"3 µs", 3e-6, base::dimension::time},
        Good{"3 μs", 3e-6, base::dimension::time}, Good{"3us", 3e-6, base::dimension::time},
        Good{"1 g/cm3", 1000, base::dimension::density}, Good{"33 rpm", 33 * 2 * pi / 60, {0, 0, -1}},
        Good{"2 rev/s", 4 * pi, {0, 0, -1}}, Good{"-1 g0", -9.80665, base::dimension::acceleration},
        Good{"12 deg", pi / 15, {}}, Good{"12°", pi / 15, {}},
        Good{"2.5e-3 m/s2", 2.5e-3, base::dimension::acceleration}, Good{"80 kN/m", 8e4, base::dimension::stiffness},
        Good{"9.81 m/s^2", 9.81, base::dimension::acceleration}, Good{"9.81 m/s²", 9.81, base::dimension::acceleration},
        Good{"9.81 m s^-2", 9.81, base::dimension::acceleration},
        Good{"9.81 m s-2", 9.81, base::dimension::acceleration},
        Good{"9.81 m s⁻²", 9.81, base::dimension::acceleration},
        Good{"9.81 m/s/s", 9.81, base::dimension::acceleration}, Good{"2 kg m/s", 2, {1, 1, -1}},
        Good{"2 kg*m/s", 2, {1, 1, -1}}, Good{"2 kg·m/s", 2, {1, 1, -1}}, Good{"1 min", 60, base::dimension::time},
        Good{"2 h", 7200, base::dimension::time}, Good{"1 km/h", 1 / 3.6, base::dimension::velocity},
        Good{"3 t/m3", 3000, base::dimension::density}, Good{"2 bar", 2e5, base::dimension::pressure},
        Good{"70 GPa", 7e10, base::dimension::pressure}, Good{"5 mg", 5e-6, base::dimension::mass},
        Good{"1 kg", 1, base::dimension::mass}, Good{"7 mJ", 7e-3, base::dimension::energy},
        Good{"50 Hz", 50, {0, 0, -1}}, Good{"50 1/s", 50, {0, 0, -1}}, Good{"50 /s", 50, {0, 0, -1}},
        Good{"0.5", 0.5, {}}, Good{"2/7", 2.0 / 7, {}}, Good{"1/4 m", 0.25, base::dimension::length},
        Good{"60 %", 0.6, {}}, Good{"  4 mm ", 4e-3, base::dimension::length},
        Good{"+4 mm", 4e-3, base::dimension::length}, Good{".5 cm", 5e-3, base::dimension::length},
        Good{"1 um", 1e-6, base::dimension::length}, Good{"1 dm3", 1e-3, {3, 0, 0}}));

struct Bad {
    const char* text;
    const char* message;
    const char* suggestion;
};
void PrintTo(const Bad& bad, std::ostream* out) {
    *out << '"' << bad.text << '"';
}

class BadUnits : public testing::TestWithParam<Bad> {};

TEST_P(BadUnits, AreRefusedWithTheNearest) {
    QuantityFault fault;
    parse_quantity(GetParam().text, fault);
    EXPECT_NE(fault.message.find(GetParam().message), std::string::npos) << fault.message;
    EXPECT_EQ(fault.suggestion, GetParam().suggestion);
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadUnits,
    testing::Values(Bad{"3 KG", "unknown unit \"KG\"", "kg"}, Bad{"3 hz", "unknown unit \"hz\"", "Hz"},
                    Bad{"3 degr", "unknown unit \"degr\"", "deg"},
                    Bad{"3 lightyears", "unknown unit \"lightyears\"", ""}, Bad{"nan m", "finite number", ""},
                    Bad{"inf", "finite number", ""}, Bad{"-inf s", "finite number", ""},
                    Bad{"1e999 m", "finite number", ""}, Bad{"1e300 Gm3", "too large", ""},
                    Bad{"", "finite number", ""}, Bad{"m", "finite number", ""}, Bad{"1/0 m", "finite number", ""},
                    Bad{"3 m^", "cannot read the unit", ""}, Bad{"3 m^99", "cannot read the unit", ""},
                    Bad{"3 m//s", "cannot read the unit", ""}, Bad{"3 (m/s)", "cannot read the unit", ""},
                    Bad{"3 m*", "cannot read the unit", ""}, Bad{"3,5 m", "cannot read", ""}));

TEST(Units, CommonFactorsAreExact) {
    QuantityFault fault;
    EXPECT_EQ(parse_quantity("1 g/cm3", fault).value, 1000.0);
    EXPECT_EQ(parse_quantity("1 cm", fault).value, 0.01);
    EXPECT_EQ(parse_quantity("3 us", fault).value, 3e-6);
    EXPECT_EQ(parse_quantity("2.5 g/cm3", fault).value, 2500.0);
    EXPECT_EQ(parse_quantity("50 cm", fault).value, 0.5);
}

TEST(Units, TellAnglesFromCycles) {
    QuantityFault fault;
    EXPECT_TRUE(parse_quantity("33 rpm", fault).turning);
    EXPECT_FALSE(parse_quantity("33 rpm", fault).cycling);
    EXPECT_TRUE(parse_quantity("5 kHz", fault).cycling);
    EXPECT_FALSE(parse_quantity("5 1/s", fault).turning);
}

TEST(Units, NameDimensions) {
    EXPECT_EQ(dimension_text(base::dimension::length), "a length (m)");
    EXPECT_EQ(dimension_text(base::dimension::acceleration), "an acceleration (m/s2)");
    EXPECT_EQ(dimension_text(base::dimension::none), "a plain number");
    EXPECT_EQ(dimension_text(base::dimension::stiffness), "a stiffness (N/m)");
    EXPECT_EQ(dimension_text(base::dimension::energy), "an energy (J)");
    EXPECT_EQ(unit_text({-1, 1, -1}), "kg/m/s");
    EXPECT_EQ(unit_text({-3, 1, 0}), "kg/m3");
}

}  // namespace
}  // namespace talus::scene
