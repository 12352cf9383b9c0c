// Pages made from the list of keys: docs/scene.md for readers, docs/scene.schema.json for editors.
#pragma once

#include <string>
#include <string_view>

namespace talus::scene {

/// The text of docs/scene.md: an introduction, then every key by table.
std::string scene_reference_markdown();
/// The text of docs/scene.schema.json: JSON Schema, draft 2020-12.
std::string scene_json_schema();
/// A complete small scene, as shown in the introduction.
std::string_view scene_example();

}  // namespace talus::scene
