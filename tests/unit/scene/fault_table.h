// Rows of tables of faults: what is changed in the sound scene, and what must be told.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "scene_text.h"
#include "talus/scene/scene.h"

namespace talus::scene {

struct Fault {
    const char* name;
    std::string what, with;  // replaced in the sound scene; an empty `what` appends
    std::vector<std::string> fragments;
};

inline void PrintTo(const Fault& fault, std::ostream* out) {
    *out << fault.name;
}

inline std::string faults_of(const std::string& text) {
    try {
        load_text(text, "s.toml");
    } catch (const base::InputError& error) {
        EXPECT_TRUE(error.diagnostics().has_errors());
        return error.what();
    }
    return "";
}

inline std::string fault_name(const testing::TestParamInfo<Fault>& info) {
    return info.param.name;
}

inline void expect_told(const std::string& text, const std::vector<std::string>& fragments) {
    const std::string told = faults_of(text);
    for (const std::string& fragment : fragments) {
        EXPECT_NE(told.find(fragment), std::string::npos) << "wanted: " << fragment << "\ntold:\n" << told;
    }
}

}  // namespace talus::scene
