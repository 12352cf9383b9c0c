#include "talus/output/field_archive.h"

#include <stdexcept>

#include "talus/output/checkpoint_fields.h"

namespace talus::output {

namespace {

template <class Archive, class FieldsOf, class LedgerOf>
void exchange_fields(Archive& archive, FieldsOf& fields, LedgerOf& ledger) {
    const auto field = [&](const std::string& name, auto& uniform) {
        archive("fields/" + name + "/value", uniform.value);
        archive("fields/" + name + "/axis", uniform.axis);
        archive("fields/" + name + "/rate", uniform.rate);
    };
    field("gravity", fields.gravity);
    field("electric", fields.electric);
    field("magnetic", fields.magnetic);
    archive("fields/gravitational_constant", fields.gravitational_constant);
    archive("fields/electric_constant", fields.electric_constant);
    archive("fields/magnetic_constant", fields.magnetic_constant);
    archive("fields/reference", ledger.field_reference);
    archive("fields/work", ledger.field_work);
    archive("fields/power", ledger.field_power);
    archive.members(
        "fields/moments/charge", fields.moments, [](auto& m) -> auto& { return m.charge; });
    archive.members(
        "fields/moments/electric_dipole", fields.moments, [](auto& m) -> auto& { return m.electric_dipole; });
    archive.members(
        "fields/moments/magnetic_dipole", fields.moments, [](auto& m) -> auto& { return m.magnetic_dipole; });
}

}  // namespace

void save_fields(Hdf5File& file, const model::System& system) {
    const model::Fields& fields = system.fields;
    if (!fields.any()) {
        return;
    }
    Saver archive(file);
    const std::vector<std::uint8_t> acts = {static_cast<std::uint8_t>(fields.masses),
                                            static_cast<std::uint8_t>(fields.electric_moments),
                                            static_cast<std::uint8_t>(fields.magnetic_moments)};
    archive("fields/acts", acts);
    exchange_fields(archive, fields, system.ledger);
}

void load_fields(const Hdf5File& file, model::System& system) {
    if (!file.has("fields/acts")) {
        return;
    }
    Loader archive(file);
    std::vector<std::uint8_t> acts;
    archive("fields/acts", acts);
    model::Fields& fields = system.fields;
    fields.masses = acts.at(0) != 0;
    fields.electric_moments = acts.at(1) != 0;
    fields.magnetic_moments = acts.at(2) != 0;
    exchange_fields(archive, fields, system.ledger);
    if (fields.moments.size() != system.bodies.size()) {
        throw std::runtime_error("fields/moments have another length than particles/id");
    }
}

}  // namespace talus::output
