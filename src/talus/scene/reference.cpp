// docs/scene.md from the list of keys.
#include "talus/scene/reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "talus/scene/keys.h"
#include "talus/scene/reference_intro.h"

namespace talus::scene {

namespace {

bool is_region_key(const Key& key) {
    static const std::vector<Key> region = region_keys();
    return std::any_of(region.begin(), region.end(),
                       [&](const Key& other) { return other.name == key.name && other.doc == key.doc; });
}

std::string range_text(const Form& form) {
    const bool bounded = form.high < 1e6;  // larger limits only keep nonsense out
    if (form.kind == Form::Kind::vector || (std::isinf(form.low) && !bounded)) {
        return "";
    }
    const std::string low = std::isinf(form.low) ? "" : fmt::format("{} {}", form.low_open ? ">" : "≥", form.low);
    const std::string high = bounded ? fmt::format("≤ {}", form.high) : "";
    return ", " + low + (low.empty() || high.empty() ? "" : " and ") + high;
}

std::string form_text(const Form& form) {
    if (form.kind == Form::Kind::list && form.element[0].kind == Form::Kind::table) {
        return fmt::format("list of tables: [{}](#{})", form.element[0].table->title, form.element[0].table->id);
    }
    if (form.table != nullptr) {
        return fmt::format("{}: [{}](#{})", form.kind == Form::Kind::named ? "named tables" : "table",
                           form.table->title, form.table->id);
    }
    return form.describe() + range_text(form);
}

std::string default_text(const Key& key) {
    if (key.required) {
        return "**required**";
    }
    return key.fallback.empty() ? key.absent : "`" + key.fallback + "`";
}

class Page {
public:
    std::string text;

    void table(const Table& table, int depth) {
        if (std::find(done_.begin(), done_.end(), &table) != done_.end()) {
            return;
        }
        done_.push_back(&table);
        text += fmt::format("\n<a id=\"{}\"></a>\n{} {}\n", table.id, std::string(static_cast<std::size_t>(depth), '#'),
                            table.title);
        text += table.doc.empty() ? "" : "\n" + table.doc + "\n";
        for (const auto& [name, variant] : table.variants) {
            this->table(*variant, depth + 1);
        }
        if (&table == &shape_change_table()) {
            text += fmt::format("\nThe kinds and their keys are those of [{}](#{}).\n", shape_table().title,
                                shape_table().id);
            return;
        }
        rows(table);
        for (const Key& key : table.keys) {
            if (is_region_key(key) && table.id != "region") {
                continue;
            }
            for (const Form& form : key.forms) {
                const Form& inner = form.kind == Form::Kind::list ? form.element[0] : form;
                if (inner.table != nullptr) {
                    this->table(*inner.table, std::min(depth + 1, 5));
                }
            }
        }
    }

private:
    void rows(const Table& table) {
        const bool with_region =
            table.id != "region" && std::any_of(table.keys.begin(), table.keys.end(), is_region_key);
        std::string body;
        for (const Key& key : table.keys) {
            if (with_region && is_region_key(key)) {
                continue;
            }
            std::vector<std::string> forms;
            std::transform(key.forms.begin(), key.forms.end(), std::back_inserter(forms), form_text);
            const std::string example = key.example.empty() ? "" : fmt::format(" Example: `{}`.", key.example);
            body += fmt::format("| `{}` | {} | {} | {}{} |\n", key.name, fmt::join(forms, "; or "), default_text(key),
                                key.doc, example);
        }
        if (!body.empty()) {
            text += "\n| key | takes | default | meaning |\n| --- | --- | --- | --- |\n" + body;
        }
        if (with_region) {
            text += fmt::format(
                "\n{} the keys of a [region](#region): `box`, `ball`, `cylinder`, `inside`, `above`, "
                "`below`.\n",
                body.empty() ? "Takes" : "Also takes");
        }
        for (const auto& group : table.exactly_one) {
            text += fmt::format("\nExactly one of `{}` must be given.\n", fmt::join(group, "`, `"));
        }
    }

    std::vector<const Table*> done_;
};

}  // namespace

std::string scene_reference_markdown() {
    Page page;
    page.text = reference_introduction();
    page.table(scene_table(), 2);
    return page.text;
}

}  // namespace talus::scene
