// Messages are taken apart here as a browser does it, and compared with what went in.
#include "talus/server/picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace talus::server {
namespace {

struct Opened {
    Json header;
    std::string bytes;  // behind the header

    template <class T>
    std::vector<T> array(const std::string& name) const {
        for (const Json& entry : header.at("arrays")) {
            if (entry.at("name") == name) {
                std::vector<T> out(entry.at("count").get<std::size_t>());
                EXPECT_EQ(entry.at("at").get<std::size_t>() % 4, 0U);
                if (!out.empty()) {  // memcpy takes no null pointer, even for nothing
                    std::memcpy(out.data(), bytes.data() + entry.at("at").get<std::size_t>(), out.size() * sizeof(T));
                }
                return out;
            }
        }
        return {};
    }
    std::string type(const std::string& name) const {
        for (const Json& entry : header.at("arrays")) {
            if (entry.at("name") == name) {
                return entry.at("type");
            }
        }
        return "";
    }
};

Opened open(const Message& message) {
    const std::string whole = message->whole();
    std::uint32_t length = 0;
    std::memcpy(&length, whole.data(), 4);
    EXPECT_EQ(length % 4, 0U);
    return {Json::parse(whole.substr(4, length)), whole.substr(4 + length)};
}

/// `count` spheres of a centimetre on a line of a metre, with a field that ascends from 0 to 1.
Picture line(std::size_t count, float length = 1) {
    auto population = std::make_shared<Population>();
    Picture picture;
    for (std::size_t i = 0; i < count; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(count - 1);
        population->id.push_back(static_cast<std::int64_t>(3 * i));
        population->radius.push_back(0.01F);
        picture.position.insert(picture.position.end(), {length * t, 0.5F, -0.25F});
        picture.fields["speed"].push_back(t);
    }
    population->smallest = 0.01F;
    picture.population = population;
    picture.box = box_of(picture.position);
    return picture;
}

TEST(PictureMessage, PositionsComeBackWithinAHundredthOfARadius) {
    const Picture picture = line(1001);
    const Opened opened = open(picture_message(picture, {"speed"}));
    ASSERT_EQ(opened.type("position"), "u16");
    const auto places = opened.array<std::uint16_t>("position");
    ASSERT_EQ(places.size(), 3003U);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double low = opened.header.at("low").at(i % 3), high = opened.header.at("high").at(i % 3);
        EXPECT_NEAR(low + (high - low) * places[i] / 65535, static_cast<double>(picture.position[i]), 1e-4);
    }
}

TEST(PictureMessage, ACrowdSpreadTooFarTravelsInFullPrecision) {
    const Picture picture = line(1001, 1000);
    const Opened opened = open(picture_message(picture, {"speed"}));
    EXPECT_EQ(opened.array<float>("position"), picture.position);
}

TEST(PictureMessage, ColoursSpanTheRangeAskedForAndEndThere) {
    const Picture picture = line(101);
    Manner manner{"speed"};
    manner.has_range = true;
    manner.low = 0.25F;
    manner.high = 0.75F;
    const auto colour = open(picture_message(picture, manner)).array<std::uint8_t>("colour");
    EXPECT_EQ(colour[0], 0);
    EXPECT_EQ(colour[25], 0);
    EXPECT_EQ(colour[50], 128);
    EXPECT_EQ(colour[75], 255);
    EXPECT_EQ(colour[100], 255);
}

TEST(PictureMessage, ARangeThatNobodyHoldsLeavesOutliersOut) {
    Picture picture = line(101);
    picture.fields["speed"][7] = 1e6F;
    picture.fields["speed"][8] = std::numeric_limits<float>::quiet_NaN();
    const Opened opened = open(picture_message(picture, {"speed"}));
    EXPECT_LT(opened.header.at("range").at(1).get<double>(), 1.01);
    EXPECT_EQ(opened.array<std::uint8_t>("colour")[8], 0);
}

TEST(PictureMessage, AThinnedCrowdKeepsWholeGrainsAndItsOrder) {
    const Picture picture = line(100);
    Manner manner{"speed"};
    manner.one_in = 4;
    const Opened grains = open(population_message(*picture.population, 4));
    const Opened opened = open(picture_message(picture, manner));
    const auto id = grains.array<std::uint32_t>("id");
    ASSERT_EQ(id.size(), 25U);
    EXPECT_EQ(grains.header.at("grains"), 100);
    EXPECT_EQ(grains.header.at("one_in"), 4);
    EXPECT_EQ(opened.array<std::uint16_t>("position").size(), 75U);
    EXPECT_EQ(opened.array<std::uint8_t>("colour").size(), 25U);
    for (const std::uint32_t each : id) {
        EXPECT_EQ(each % 4, 0U);
    }
}

TEST(PictureMessage, SpheresOfAGrainShareItsNumberAndColour) {
    Picture picture = line(2);
    auto population = std::make_shared<Population>();
    population->id = {5, 9};
    population->radius = {0.01F, 0.01F, 0.02F};
    population->grain_of = {0, 0, 1};
    population->smallest = 0.01F;
    picture.population = population;
    picture.position.resize(9);
    Manner manner{"speed"};
    manner.has_range = true;
    manner.high = 1;
    EXPECT_EQ(open(population_message(*population, 1)).array<std::uint32_t>("id"),
              (std::vector<std::uint32_t>{5, 5, 9}));
    EXPECT_EQ(open(picture_message(picture, manner)).array<std::uint8_t>("colour"),
              (std::vector<std::uint8_t>{0, 0, 255}));
}

TEST(PictureMessage, OnlyWhatAViewerAskedForIsSent) {
    Picture picture = line(10);
    auto chains = std::make_shared<Chains>();
    chains->ends = {0, 0, 0, 1, 1, 1};
    chains->force = {2};
    picture.chains = chains;
    picture.grains[3] = {{"id", 3}};
    Manner manner{"speed"};
    EXPECT_EQ(open(picture_message(picture, manner)).type("chains"), "");
    EXPECT_FALSE(open(picture_message(picture, manner)).header.contains("grain"));
    manner.chains = true;
    manner.grain = 3;
    EXPECT_EQ(open(picture_message(picture, manner)).array<float>("chain_force"), chains->force);
    EXPECT_EQ(open(picture_message(picture, manner)).header.at("grain").at("id"), 3);
}

TEST(PictureMessage, AGrainThatIsNowhereTakesNobodyAlong) {
    Picture picture = line(101);
    picture.position[30] = std::numeric_limits<float>::quiet_NaN();
    picture.position[33] = std::numeric_limits<float>::infinity();
    picture.box = box_of(picture.position);
    EXPECT_EQ(picture.box.high[0], 1.0F);
    const Opened opened = open(picture_message(picture, {"speed"}));
    ASSERT_EQ(opened.type("position"), "u16");
    EXPECT_EQ(opened.array<std::uint16_t>("position")[30], 0);
    EXPECT_EQ(opened.array<std::uint16_t>("position")[33], 65535);
    EXPECT_EQ(opened.array<std::uint16_t>("position")[300], 65535);
}

TEST(PictureMessage, AThinnedCrowdHasItsStrongestChains) {
    Picture picture = line(10);
    auto chains = std::make_shared<Chains>();
    for (std::size_t i = 0; i < Chains::most; ++i) {
        chains->ends.insert(chains->ends.end(), 6, 0.0F);
        chains->force.push_back(static_cast<float>(Chains::most - i));
    }
    picture.chains = chains;
    Manner manner{"speed"};
    manner.chains = true;
    manner.one_in = 8;
    const Opened opened = open(picture_message(picture, manner));
    EXPECT_EQ(opened.array<float>("chain_force").size(), Chains::most / 8);
    EXPECT_EQ(opened.array<float>("chains").size(), 6 * (Chains::most / 8));
    EXPECT_EQ(opened.array<float>("chain_force")[0], chains->force[0]);
}

TEST(PictureMessage, WhatIsNotKnownHasNoColour) {
    Picture picture = line(10);
    picture.fields["stress"] = {};
    EXPECT_EQ(open(picture_message(picture, {"stress"})).type("colour"), "");
    EXPECT_FALSE(open(picture_message(picture, {"stress"})).header.contains("range"));
}

TEST(SharedMessages, AreMadeOnceForEveryMannerOfAPicture) {
    const auto picture = std::make_shared<Picture>(line(10));
    SharedMessages messages;
    Manner held{"speed"};
    held.has_range = true;
    const Message first = messages.of(picture, {"speed"});
    EXPECT_EQ(messages.of(picture, {"speed"}), first);
    EXPECT_NE(messages.of(picture, held), first);
    EXPECT_NE(messages.of(std::make_shared<Picture>(line(10)), {"speed"}), first);
    const Message crowd = messages.of(picture->population, 1);
    EXPECT_EQ(messages.of(picture->population, 1), crowd);
    EXPECT_NE(messages.of(picture->population, 2), crowd);
}

TEST(PictureMessage, AnEmptyCrowdIsNoFault) {
    Picture picture;
    picture.population = std::make_shared<Population>();
    picture.fields["speed"] = {};
    EXPECT_TRUE(open(picture_message(picture, {"speed"})).array<float>("position").empty());
}

}  // namespace
}  // namespace talus::server
