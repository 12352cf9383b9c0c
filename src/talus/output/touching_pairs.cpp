#include "talus/output/touching_pairs.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <tuple>

namespace talus::output {
namespace {

void append_history(std::vector<double>& out, const std::vector<double>& history, std::size_t pair, std::size_t size) {
    const auto begin = history.begin() + static_cast<std::ptrdiff_t>(pair * size);
    out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
}

/// Index of a body by its id; ids ascend.
std::uint32_t index_of(std::int64_t id, const model::Bodies& bodies) {
    const auto found = std::lower_bound(bodies.id.begin(), bodies.id.end(), id);
    if (found == bodies.id.end() || *found != id) {
        throw std::runtime_error("a contact names grain " + std::to_string(id) + ", which does not exist");
    }
    return static_cast<std::uint32_t>(std::distance(bodies.id.begin(), found));
}

void require(bool condition, const char* what) {
    if (!condition) {
        throw std::runtime_error(what);
    }
}

/// Turns the counts in row[1..] into ends of rows.
void accumulate(std::vector<std::uint32_t>& row) {
    for (std::size_t i = 1; i < row.size(); ++i) {
        row[i] += row[i - 1];
    }
}

}  // namespace

TouchingPairs touching_pairs(const model::PairList& pairs, const model::Bodies& bodies) {
    TouchingPairs out;
    out.history_size = pairs.history_size;
    for (std::size_t i = 0; i + 1 < pairs.row.size(); ++i) {
        for (std::size_t p = pairs.row[i]; p < pairs.row[i + 1]; ++p) {
            out.a.push_back(bodies.id[i]);
            out.b.push_back(bodies.id[pairs.partner[p]]);
            out.image.push_back(pairs.image[p]);
            append_history(out.history, pairs.history, p, pairs.history_size);
        }
    }
    return out;
}

TouchingWallPairs touching_wall_pairs(const model::WallPairList& pairs, const model::Bodies& bodies) {
    TouchingWallPairs out;
    out.history_size = pairs.history_size;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        if (pairs.touching[p] != 0) {
            out.body.push_back(bodies.id[pairs.body[p]]);
            out.wall.push_back(pairs.wall[p]);
            out.side.push_back(pairs.side[p]);
            out.normal.push_back(pairs.normal[p]);
            append_history(out.history, pairs.history, p, pairs.history_size);
        }
    }
    return out;
}

model::PairList listed(const TouchingPairs& touching, const model::Bodies& bodies) {
    const std::size_t count = touching.a.size();
    require(touching.b.size() == count && touching.image.size() == count, "the columns of pairs differ in length");
    require(touching.history.size() == count * touching.history_size, "the history of pairs is incomplete");
    model::PairList pairs;
    pairs.history_size = touching.history_size;
    pairs.row.assign(bodies.size() + 1, 0);
    for (std::size_t p = 0; p < count; ++p) {
        const auto key = [&](std::size_t q) { return std::tie(touching.a[q], touching.b[q], touching.image[q]); };
        require(touching.a[p] < touching.b[p] && (p == 0 || key(p - 1) < key(p)), "the pairs are out of order");
        ++pairs.row[index_of(touching.a[p], bodies) + 1];
        pairs.partner.push_back(index_of(touching.b[p], bodies));
    }
    accumulate(pairs.row);
    pairs.image = touching.image;
    pairs.history = touching.history;
    return pairs;
}

model::WallPairList listed(const TouchingWallPairs& touching, const model::Bodies& bodies, std::size_t walls) {
    const std::size_t count = touching.body.size();
    require(touching.wall.size() == count && touching.side.size() == count && touching.normal.size() == count,
            "the columns of wall pairs differ in length");
    require(touching.history.size() == count * touching.history_size, "the history of wall pairs is incomplete");
    model::WallPairList pairs;
    pairs.history_size = touching.history_size;
    pairs.row.assign(bodies.size() + 1, 0);
    for (std::size_t p = 0; p < count; ++p) {
        const auto key = [&](std::size_t q) { return std::tie(touching.body[q], touching.wall[q], touching.side[q]); };
        require(p == 0 || key(p - 1) < key(p), "the wall pairs are out of order");
        require(touching.wall[p] < walls, "a contact names a wall that does not exist");
        require(touching.side[p] < model::WallPairList::most_sides, "a contact names a side that no wall has");
        const std::uint32_t body = index_of(touching.body[p], bodies);
        ++pairs.row[body + 1];
        pairs.body.push_back(body);
    }
    accumulate(pairs.row);
    pairs.wall = touching.wall;
    pairs.side = touching.side;
    pairs.touching.assign(count, 1);
    pairs.normal = touching.normal;
    pairs.history = touching.history;
    return pairs;
}

}  // namespace talus::output
