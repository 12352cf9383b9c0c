#include "talus/scene/value.h"

namespace talus::scene {

const Value* Value::find(std::string_view name) const {
    for (const auto& [member_name, member] : members) {
        if (member_name == name) {
            return member.kind == Kind::faulty ? nullptr : &member;
        }
    }
    return nullptr;
}

bool Value::has(std::string_view name) const {
    for (const auto& [member_name, member] : members) {
        if (member_name == name) {
            return member.given;
        }
    }
    return false;
}

const Value& Value::at(std::string_view name) const {
    const Value* found = find(name);
    return found != nullptr ? *found : *this;
}

double Value::number_or(std::string_view name, double otherwise) const {
    const Value* found = find(name);
    return found != nullptr && found->kind == Kind::number ? found->number : otherwise;
}

Vec3d Value::vector_or(std::string_view name, const Vec3d& otherwise) const {
    const Value* found = find(name);
    return found != nullptr && found->kind == Kind::vector ? found->vector : otherwise;
}

std::string Value::text_or(std::string_view name, const std::string& otherwise) const {
    const Value* found = find(name);
    return found != nullptr && found->kind == Kind::text ? found->text : otherwise;
}

bool Value::boolean_or(std::string_view name, bool otherwise) const {
    const Value* found = find(name);
    return found != nullptr && found->kind == Kind::boolean ? found->boolean : otherwise;
}

std::int64_t Value::integer_or(std::string_view name, std::int64_t otherwise) const {
    const Value* found = find(name);
    return found != nullptr && found->kind == Kind::integer ? found->integer : otherwise;
}

const std::vector<Value>& Value::list(std::string_view name) const {
    static const std::vector<Value> none;
    const Value* found = find(name);
    return found != nullptr && found->kind == Kind::list ? found->items : none;
}

}  // namespace talus::scene
