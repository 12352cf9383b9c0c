// The coefficient of every law can be read and changed, and changing it there and back leaves no trace.
#include "talus/laws/friction.h"

#include <gtest/gtest.h>

#include "talus/laws/registry.h"
#include "talus/laws/visit.h"

namespace talus::laws {
namespace {

TEST(Friction, OfEveryLawCanBeChangedAndChangedBack) {
    for (std::size_t law = 0; law < registry().size(); ++law) {
        const auto index = static_cast<int>(law);
        const ParameterBlock start = with_friction(index, ParameterBlock{}, 0.5);
        const ParameterBlock other = with_friction(index, start, 0.25);
        EXPECT_EQ(friction_of(index, start), 0.5) << registry()[law].name;
        EXPECT_EQ(friction_of(index, other), 0.25) << registry()[law].name;
        EXPECT_EQ(with_friction(index, other, 0.5).value, start.value) << registry()[law].name;
    }
}

TEST(Friction, WithoutALawThereIsNone) {
    EXPECT_FALSE(friction_of(-1, {}).has_value());
}

TEST(Friction, TheReachOfASaturatingSpringFollows) {
    const int law = find_law("solver_damped");
    ASSERT_GE(law, 0);
    SolverDamped::Params params{};
    params.tangential.friction = 0.2;
    params.tangential.slack = 0.3;
    const auto changed = with_friction(law, ParameterBlock::from(params), 0.4).as<SolverDamped::Params>();
    EXPECT_DOUBLE_EQ(changed.tangential.slack, 0.6);
}

TEST(Friction, StictionFollowsToo) {
    const int law = find_law("solver_object");
    ASSERT_GE(law, 0);
    const auto changed = with_friction(law, ParameterBlock{}, 0.4).as<SolverObject::Params>();
    EXPECT_EQ(changed.hold.mu_q, 0.4);
}

}  // namespace
}  // namespace talus::laws
