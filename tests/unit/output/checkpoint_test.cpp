// A checkpoint is the whole state, bit for bit; a damaged one is found out and the one before it takes over.
#include "talus/output/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "talus/base/diagnostics.h"
#include "talus/output/atomic_file.h"
#include "talus/output/run_folder.h"
#include "temporary_folder.h"
#include "unit/model/sample_system.h"

namespace talus::output {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const CheckpointExtras extras{"{\"rows\": 17}", "title = \"Körner\"\n"};

void expect_same_motion(const model::Motion& a, const model::Motion& b) {
    ASSERT_EQ(a.translations.size(), b.translations.size());
    ASSERT_EQ(a.oscillations.size(), b.oscillations.size());
    ASSERT_EQ(a.spins.size(), b.spins.size());
    ASSERT_EQ(a.keyframes.size(), b.keyframes.size());
    ASSERT_EQ(a.drives.size(), b.drives.size());
    for (std::size_t i = 0; i < a.drives.size(); ++i) {
        EXPECT_EQ(a.drives[i].turns, b.drives[i].turns);
        EXPECT_EQ(a.drives[i].axis, b.drives[i].axis);
        EXPECT_EQ(a.drives[i].through, b.drives[i].through);
        EXPECT_EQ(a.drives[i].centre, b.drives[i].centre);
        for (double model::Drive::*number :
             {&model::Drive::inertia, &model::Drive::load, &model::Drive::damping, &model::Drive::weight,
              &model::Drive::start, &model::Drive::way, &model::Drive::speed, &model::Drive::rate}) {
            EXPECT_EQ(a.drives[i].*number, b.drives[i].*number);
        }
    }
    for (std::size_t i = 0; i < a.translations.size(); ++i) {
        EXPECT_EQ(a.translations[i].velocity, b.translations[i].velocity);
        EXPECT_EQ(a.translations[i].start, b.translations[i].start);
    }
    for (std::size_t i = 0; i < a.oscillations.size(); ++i) {
        EXPECT_EQ(a.oscillations[i].amplitude, b.oscillations[i].amplitude);
        EXPECT_EQ(a.oscillations[i].omega, b.oscillations[i].omega);
        EXPECT_EQ(a.oscillations[i].phase, b.oscillations[i].phase);
        EXPECT_EQ(a.oscillations[i].start, b.oscillations[i].start);
    }
    for (std::size_t i = 0; i < a.spins.size(); ++i) {
        EXPECT_EQ(a.spins[i].axis, b.spins[i].axis);
        EXPECT_EQ(a.spins[i].through, b.spins[i].through);
        EXPECT_EQ(a.spins[i].rate, b.spins[i].rate);
        EXPECT_EQ(a.spins[i].start, b.spins[i].start);
    }
    for (std::size_t i = 0; i < a.keyframes.size(); ++i) {
        EXPECT_EQ(a.keyframes[i].time, b.keyframes[i].time);
        EXPECT_EQ(a.keyframes[i].displacement, b.keyframes[i].displacement);
        EXPECT_EQ(a.keyframes[i].rotation, b.keyframes[i].rotation);
    }
}

void expect_same_walls(const std::vector<model::Wall>& a, const std::vector<model::Wall>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].name, b[i].name);
        EXPECT_EQ(a[i].shape.kind, b[i].shape.kind);
        EXPECT_EQ(a[i].shape.a, b[i].shape.a);
        EXPECT_EQ(a[i].shape.b, b[i].shape.b);
        EXPECT_EQ(a[i].shape.c, b[i].shape.c);
        EXPECT_EQ(a[i].base.position, b[i].base.position);
        EXPECT_EQ(a[i].base.rotation, b[i].base.rotation);
        EXPECT_EQ(a[i].pose.velocity, b[i].pose.velocity);
        EXPECT_EQ(a[i].pose.spin, b[i].pose.spin);
        EXPECT_EQ(a[i].material, b[i].material);
        EXPECT_EQ(a[i].behaviour, b[i].behaviour);
        EXPECT_EQ(a[i].present, b[i].present);
        EXPECT_EQ(a[i].record.angular_impulse, b[i].record.angular_impulse);
        EXPECT_EQ(a[i].record.stuck, b[i].record.stuck);
        expect_same_motion(a[i].motion, b[i].motion);
    }
}

TEST(Checkpoint, ReturnsTheWholeSystem) {
    const tests::TemporaryFolder folder;
    const model::System saved = test::sample_system();
    save_checkpoint(folder / "checkpoint.h5", saved, extras);
    const Checkpoint loaded = load_checkpoint(folder / "checkpoint.h5");
    const model::System& back = loaded.system;
    EXPECT_EQ(model::state_hash(back), model::state_hash(saved));
    EXPECT_EQ(loaded.extras.plan_state, extras.plan_state);
    EXPECT_EQ(loaded.extras.scene_text, extras.scene_text);
    EXPECT_TRUE(loaded.warning.empty());
    // What the hash does not cover.
    EXPECT_EQ(back.seed, saved.seed);
    EXPECT_EQ(back.domain.low, saved.domain.low);
    EXPECT_EQ(back.domain.high, saved.domain.high);
    EXPECT_EQ(back.domain.periodic, saved.domain.periodic);
    EXPECT_EQ(back.clock.origin, saved.clock.origin);
    EXPECT_EQ(back.clock.origin_steps, saved.clock.origin_steps);
    EXPECT_EQ(back.counters.next_id, 10);
    EXPECT_EQ(back.counters.left_domain, 3);
    EXPECT_EQ(back.counters.left_domain_mass, 0.5);
    EXPECT_EQ(back.counters.removed_by_stage, 2);
    EXPECT_EQ(back.counters.large_overlaps, 44);
    EXPECT_EQ(back.counters.largest_overlap, 0.0123);
    EXPECT_EQ(back.counters.largest_overlap_id, 7);
    EXPECT_EQ(back.ledger.dissipated, saved.ledger.dissipated);
    EXPECT_EQ(back.ledger.power, saved.ledger.power);
    EXPECT_EQ(back.ledger.stored.normal, 0.7);
    EXPECT_EQ(back.ledger.stored.tangential, 0.8);
    EXPECT_EQ(back.ledger.peak, saved.ledger.peak);
    EXPECT_EQ(back.ledger.held_work, 1.0 / 9);
    EXPECT_EQ(back.ledger.held_power, 0.9);
    EXPECT_EQ(back.ledger.gravity_reference, -1.0 / 11);
    EXPECT_EQ(back.ledger.removed, 2);
    EXPECT_EQ(back.ledger.injected, 3);
    EXPECT_EQ(back.stage.index, 2);
    EXPECT_TRUE(back.stage.entered);
    EXPECT_EQ(back.stage.entered_at, 0.75);
    EXPECT_EQ(back.stage.quiet_since, 0.5);
    EXPECT_EQ(back.flights.position, saved.flights.position);
    EXPECT_EQ(back.flights.velocity, saved.flights.velocity);
    EXPECT_EQ(back.flights.time, saved.flights.time);
    EXPECT_EQ(back.flights.epoch, saved.flights.epoch);
    EXPECT_EQ(back.flights.now, saved.flights.now);
    EXPECT_EQ(back.flights.collisions, saved.flights.collisions);
    EXPECT_EQ(back.impulses.virial, saved.impulses.virial);
    EXPECT_EQ(back.impulses.framed, saved.impulses.framed);
    EXPECT_EQ(back.impulses.framed_at, 0.125);
    EXPECT_EQ(back.impulses.met, saved.impulses.met);
    expect_same_walls(back.walls, saved.walls);
    ASSERT_EQ(back.materials.size(), 2U);
    EXPECT_EQ(back.materials.list[1].name, "steel");
    EXPECT_EQ(back.materials.list[1].density, 7800);
    EXPECT_EQ(back.materials.between(1, 0).law, saved.materials.between(1, 0).law);
    EXPECT_EQ(back.materials.between(0, 0).parameters.value, saved.materials.between(0, 0).parameters.value);
    EXPECT_EQ(back.materials.between(1, 1).law, -1);
}

TEST(Checkpoint, BringsBackTouchingPairsAsValidLists) {
    const tests::TemporaryFolder folder;
    save_checkpoint(folder / "checkpoint.h5", test::sample_system(), extras);
    const model::System back = load_checkpoint(folder / "checkpoint.h5").system;
    using Indices = std::vector<std::uint32_t>;
    EXPECT_EQ(back.pairs.row, (Indices{0, 2, 3, 3, 3}));
    EXPECT_EQ(back.pairs.partner, (Indices{1, 2, 2}));
    EXPECT_EQ(back.pairs.image, (std::vector<model::Image>{{0, 0, 0}, {-1, 0, 1}, {0, 0, 0}}));
    EXPECT_EQ(back.pairs.history_size, 3U);
    EXPECT_EQ(back.pairs.history,
              (std::vector<double>{1. / 7, 1. / 8, 1. / 9, 1. / 10, 1. / 11, 1. / 12, 1. / 13, 1. / 14, 1. / 15}));
    EXPECT_EQ(back.wall_pairs.row, (Indices{0, 1, 2, 2, 2}));
    EXPECT_EQ(back.wall_pairs.body, (Indices{0, 1}));
    EXPECT_EQ(back.wall_pairs.wall, (Indices{0, 0}));
    EXPECT_EQ(back.wall_pairs.side, (std::vector<std::uint8_t>{0, 1}));
    EXPECT_EQ(back.wall_pairs.history_size, 2U);
    EXPECT_EQ(back.wall_pairs.history, (std::vector<double>{0.1, 0.2, 0.5, 0.6}));
    EXPECT_EQ(back.wall_pairs.normal[1], (math::Vec3d{0, 1.0 / 3, -1}));
}

TEST(Checkpoint, SavedAgainIsTheSameFile) {
    const tests::TemporaryFolder folder;
    save_checkpoint(folder / "one.h5", test::sample_system(), extras);
    save_checkpoint(folder / "two.h5", load_checkpoint(folder / "one.h5").system, extras);
    EXPECT_TRUE(read_text_file(folder / "one.h5") == read_text_file(folder / "two.h5"));
}

TEST(Checkpoint, TakesAnEmptySystem) {
    const tests::TemporaryFolder folder;
    save_checkpoint(folder / "checkpoint.h5", model::System{}, {});
    const Checkpoint loaded = load_checkpoint(folder / "checkpoint.h5");
    EXPECT_EQ(loaded.system.bodies.size(), 0U);
    EXPECT_EQ(loaded.system.domain.low.x, -model::Domain::unbounded);
    EXPECT_EQ(loaded.extras.plan_state, "");
}

TEST(Checkpoint, KeepsThePreviousOne) {
    const tests::TemporaryFolder folder;
    model::System system = test::sample_system();
    for (int i = 0; i < 3; ++i) {
        system.clock.steps = i;
        save_checkpoint(checkpoint_path(folder.path()), system, extras);
    }
    EXPECT_EQ(load_checkpoint(folder / "checkpoint.h5").system.clock.steps, 2);
    EXPECT_EQ(load_checkpoint(folder / "checkpoint.previous.h5").system.clock.steps, 1);
    EXPECT_FALSE(std::filesystem::exists(folder / "checkpoint.h5.tmp"));
}

TEST(Checkpoint, FindsAnyDamage) {
    const tests::TemporaryFolder folder;
    const auto path = folder / "checkpoint.h5";
    save_checkpoint(path, test::sample_system(), extras);
    const std::string good = read_text_file(path);
    const auto expect_refused = [&](const std::string& bytes, const std::string& why) {
        write_text_file(path, bytes);
        EXPECT_THAT([&] { load_checkpoint(path); },
                    ThrowsMessage<base::InputError>(AllOf(HasSubstr(path.string()), HasSubstr(why))));
    };
    for (std::size_t at = 512; at < good.size(); at += 997) {
        std::string flipped = good;
        flipped[at] = static_cast<char>(flipped[at] ^ 4);
        expect_refused(flipped, "damaged");
    }
    for (const std::size_t length : {good.size() - 1, good.size() / 2, std::size_t{600}, std::size_t{512}}) {
        expect_refused(good.substr(0, length), "incomplete");
    }
    expect_refused(good + "x", "incomplete");
    expect_refused("", "not a Talus checkpoint");
    expect_refused("title = \"a scene\"", "not a Talus checkpoint");
    std::string older = good;
    older[older.find(" 9 ") + 1] = '8';
    expect_refused(older, "format 9");
    std::filesystem::remove(path);
    EXPECT_THAT([&] { load_checkpoint(path); }, ThrowsMessage<base::InputError>(HasSubstr("no such file")));
}

TEST(Checkpoint, FallsBackToThePreviousOneWithAWarning) {
    const tests::TemporaryFolder folder;
    EXPECT_THAT([&] { load_latest(folder.path()); }, ThrowsMessage<base::InputError>(HasSubstr("no checkpoint")));
    model::System system = test::sample_system();
    system.clock.steps = 1;
    save_checkpoint(folder / "checkpoint.h5", system, extras);
    system.clock.steps = 2;
    save_checkpoint(folder / "checkpoint.h5", system, extras);
    EXPECT_EQ(load_latest(folder.path()).system.clock.steps, 2);
    EXPECT_TRUE(load_latest(folder.path()).warning.empty());

    std::filesystem::resize_file(folder / "checkpoint.h5", 2000);
    const Checkpoint earlier = load_latest(folder.path());
    EXPECT_EQ(earlier.system.clock.steps, 1);
    EXPECT_EQ(earlier.path, folder / "checkpoint.previous.h5");
    EXPECT_THAT(earlier.warning, AllOf(HasSubstr("incomplete"), HasSubstr("checkpoint.previous.h5")));

    std::filesystem::remove(folder / "checkpoint.h5");  // died between the two renames
    EXPECT_EQ(load_latest(folder.path()).system.clock.steps, 1);

    write_text_file(folder / "checkpoint.previous.h5", "rubbish");
    EXPECT_THROW(load_latest(folder.path()), base::InputError);
}

TEST(Checkpoint, AFullDiskLeavesTheEarlierOneUsable) {
    const tests::TemporaryFolder folder;
    model::System system = test::sample_system();
    system.clock.steps = 1;
    save_checkpoint(folder / "checkpoint.h5", system, extras);
    // The temporary name leads to a device that is always full.
    std::filesystem::create_symlink("/dev/full", folder / "checkpoint.h5.tmp");
    system.clock.steps = 2;
    EXPECT_THAT([&] { save_checkpoint(folder / "checkpoint.h5", system, extras); },
                ThrowsMessage<base::RunError>(AllOf(HasSubstr("checkpoint.h5"), HasSubstr("No space left"))));
    EXPECT_EQ(load_latest(folder.path()).system.clock.steps, 1);
    EXPECT_TRUE(load_latest(folder.path()).warning.empty());
    save_checkpoint(folder / "checkpoint.h5", system, extras);  // space again
    EXPECT_EQ(load_latest(folder.path()).system.clock.steps, 2);
}

TEST(Checkpoint, CannotBeWrittenBelowAFile) {
    const tests::TemporaryFolder folder;
    write_text_file(folder / "file", "x");
    EXPECT_THROW(save_checkpoint(folder / "file" / "checkpoint.h5", test::sample_system(), extras), base::RunError);
    EXPECT_THROW(save_checkpoint(folder / "missing" / "checkpoint.h5", test::sample_system(), extras), base::RunError);
}

TEST(Checkpoint, SummaryMatchesTheState) {
    const tests::TemporaryFolder folder;
    const model::System system = test::sample_system();
    save_checkpoint(folder / "checkpoint.h5", system, extras);
    const CheckpointSummary summary = summarise_checkpoint(folder / "checkpoint.h5");
    EXPECT_EQ(summary.time, system.clock.time());
    EXPECT_EQ(summary.steps, system.clock.steps);
    EXPECT_EQ(summary.grains, 4);
    EXPECT_EQ(summary.contacts, 5);
    EXPECT_EQ(summary.walls, 3);
    EXPECT_EQ(std::stoull(summary.state_hash, nullptr, 16), model::state_hash(system));
}

}  // namespace
}  // namespace talus::output
