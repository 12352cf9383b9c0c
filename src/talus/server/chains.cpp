#include "talus/server/chains.h"

#include <algorithm>
#include <optional>

namespace talus::server {

namespace {

std::optional<std::size_t> row_of(const Columns& columns, std::int64_t id) {
    const auto at = std::lower_bound(columns.id.begin(), columns.id.end(), id);
    if (at == columns.id.end() || *at != id) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(at - columns.id.begin());
}

/// Where the line of a contact that begins at the centre of grain `a` ends.
Vec3d line_end(const Columns& columns, const model::ContactSample& contact, std::size_t a) {
    const std::optional<std::size_t> b = contact.wall < 0 ? row_of(columns, contact.b) : std::nullopt;
    if (!b) {
        return contact.point;
    }
    const bool beside =
        math::norm(columns.position[*b] - columns.position[a]) <= 2 * (columns.radius[a] + columns.radius[*b]);
    // Across a periodic border the partner is far away: the line goes to where its image is.
    return beside ? columns.position[*b] : contact.point + contact.normal * columns.radius[*b];
}

}  // namespace

std::shared_ptr<const Chains> chains_of(const Columns& columns, std::span<const model::ContactSample> contacts,
                                        const Vec3d& origin) {
    std::vector<std::pair<double, std::size_t>> strongest;  // force, contact
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        strongest.emplace_back(math::norm(contacts[c].force), c);
    }
    const auto end = strongest.begin() + static_cast<std::ptrdiff_t>(std::min(strongest.size(), Chains::most));
    std::partial_sort(strongest.begin(), end, strongest.end(), std::greater<>());
    strongest.erase(end, strongest.end());
    auto chains = std::make_shared<Chains>();
    for (const auto& [force, c] : strongest) {
        const std::optional<std::size_t> a = row_of(columns, contacts[c].a);
        if (!a) {
            continue;
        }
        for (const Vec3d& x : {columns.position[*a] - origin, line_end(columns, contacts[c], *a) - origin}) {
            chains->ends.insert(chains->ends.end(),
                                {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)});
        }
        chains->force.push_back(static_cast<float>(force));
    }
    return chains;
}

std::vector<double> loads_of(const Columns& columns, std::span<const model::ContactSample> contacts) {
    std::vector<double> out(columns.id.size(), 0);
    for (const model::ContactSample& contact : contacts) {
        const double force = math::norm(contact.force);
        for (const std::int64_t id : {contact.a, contact.b}) {
            if (const std::optional<std::size_t> row = row_of(columns, id)) {
                out[*row] += force;
            }
        }
    }
    return out;
}

}  // namespace talus::server
