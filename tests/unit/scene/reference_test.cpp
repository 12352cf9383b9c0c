// The pages made from the list of keys: up to date, complete, and right. To write them anew after a change of keys:
// `./dev docs`, or TALUS_UPDATE_DOCS=1 with this test.
#include "talus/scene/reference.h"

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "talus/laws/registry.h"
#include "talus/scene/keys.h"
#include "talus/scene/scene.h"

namespace talus::scene {
namespace {

void expect_same_as_file(const std::string& text, const std::string& name) {
    const std::string path = std::string(TALUS_SOURCE_DIR) + "/docs/" + name;
    if (std::getenv("TALUS_UPDATE_DOCS") != nullptr) {
        std::ofstream(path, std::ios::binary) << text;
    }
    std::ostringstream stored;
    stored << std::ifstream(path, std::ios::binary).rdbuf();
    // Not EXPECT_EQ: a difference in pages of this size would be printed whole.
    EXPECT_TRUE(stored.str() == text) << "docs/" << name << " is out of date: run ./dev docs";
}

TEST(Reference, PageInTheTreeIsUpToDate) {
    expect_same_as_file(scene_reference_markdown(), "scene.md");
}

TEST(Reference, SchemaInTheTreeIsUpToDate) {
    expect_same_as_file(scene_json_schema(), "scene.schema.json");
}

TEST(Reference, ExampleRuns) {
    const Scene scene = load_text(scene_example(), "example.toml");
    EXPECT_EQ(scene.system.bodies.size(), 200U);
    EXPECT_TRUE(scene.warnings.list().empty()) << scene.warnings.text();
    EXPECT_NE(scene_reference_markdown().find(scene_example()), std::string::npos);
}

TEST(Reference, EveryKeyIsDescribed) {
    const std::string page = scene_reference_markdown();
    const std::vector<KeyPath> keys = all_keys();
    EXPECT_GT(keys.size(), 200U);
    for (const KeyPath& key : keys) {
        EXPECT_FALSE(key.key->forms.empty()) << key.path;
        ASSERT_FALSE(key.key->doc.empty()) << key.path;
        EXPECT_EQ(key.key->doc.back(), '.') << key.path;
        EXPECT_NE(page.find("| `" + key.key->name + "` |"), std::string::npos) << key.path;
    }
}

TEST(Reference, PathsAreUniqueWithinAVariant) {
    // Variants may share a sub-table, which then comes up again with the very same keys.
    std::map<std::pair<std::string, const Table*>, const Key*> seen;
    for (const KeyPath& key : all_keys()) {
        EXPECT_EQ(seen.try_emplace({key.path, key.table}, key.key).first->second, key.key) << key.path;
    }
}

TEST(Reference, EveryLawAndParameterIsThere) {
    std::set<std::string> paths;
    for (const KeyPath& key : all_keys()) {
        paths.insert(key.path);
    }
    for (const laws::LawInfo& law : laws::registry()) {
        if (!law.variant_of.empty()) {
            continue;
        }
        EXPECT_NE(scene_reference_markdown().find(law.formula), std::string::npos) << law.name;
        for (const laws::ParameterInfo& parameter : law.parameters) {
            EXPECT_TRUE(paths.contains("contacts[]." + parameter.key)) << law.name << " " << parameter.key;
        }
    }
}

TEST(Reference, DefaultsAndExamplesAreToml) {
    for (const KeyPath& key : all_keys()) {
        for (const std::string& text : {key.key->fallback, key.key->example}) {
            if (!text.empty()) {
                EXPECT_NO_THROW(static_cast<void>(toml::parse("value = " + text))) << key.path;
            }
        }
    }
}

TEST(Reference, LinksOfThePageLeadSomewhere) {
    const std::string page = scene_reference_markdown();
    std::size_t links = 0;
    for (std::size_t at = page.find("](#"); at != std::string::npos; at = page.find("](#", at + 1)) {
        const std::string target = page.substr(at + 3, page.find(')', at) - at - 3);
        EXPECT_NE(page.find("<a id=\"" + target + "\"></a>"), std::string::npos) << target;
        ++links;
    }
    EXPECT_GT(links, 30U);
}

TEST(Reference, SchemaRefersOnlyToWhatItDefines) {
    const std::string text = scene_json_schema();
    const nlohmann::json schema = nlohmann::json::parse(text);
    EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(schema["additionalProperties"], false);
    const std::string mark = "\"#/$defs/";
    std::size_t references = 0;
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
        const std::size_t begin = at + mark.size();
        EXPECT_TRUE(schema["$defs"].contains(text.substr(begin, text.find('"', begin) - begin)));
        ++references;
    }
    EXPECT_GT(references, 30U);
}

}  // namespace
}  // namespace talus::scene
