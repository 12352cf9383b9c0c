// What contacts do to grains: every touching pair of spheres and every sphere at a wall asks its law.
#include <algorithm>
#include <cmath>
#include <optional>

#include "talus/backends/cpu/wall_sides.h"
#include "talus/base/parallel.h"
#include "talus/engines/grains/engine.h"
#include "talus/math/free_rotation.h"
#include "talus/model/driving.h"
#include "talus/search/mesh_contacts.h"

namespace talus::engines::grains {

namespace {

using backends::cpu::has_jumped;

constexpr auto sliding = static_cast<std::size_t>(model::Mechanism::sliding);

}  // namespace

void Engine::place(const std::vector<Motion>& motion) {
    base::parallel_for(motion.size(), options_.threads, [&](std::size_t i) {
        const Motion& m = motion[i];
        if (nature_[i].turns_as_sphere) {
            balls_[first_[i]].center = m.position;
            return;
        }
        const Mat3d axes = to_matrix(m.turn);
        for (std::uint32_t p = first_[i]; p < first_[i + 1]; ++p) {
            parts_[p].arm = axes * parts_[p].at_rest;
            balls_[p].center = m.position + parts_[p].arm;
        }
        inverse_inertia_[i] = math::in_world(axes, nature_[i].inverse_moment);
    });
}

Side<double> Engine::side(const Part& part, const std::vector<Motion>& motion) const {
    const Motion& m = motion[part.body];
    const Nature& nature = nature_[part.body];
    return {part.arm, m.velocity, m.spin, nature.inverse_mass, nature.inverse_moment, inverse_inertia_[part.body]};
}

Vec3d Engine::shift_of(const model::Image& image) const {
    Vec3d shift;
    if (image != model::Image{}) {
        const Vec3d period = system_.domain.size();
        for (int axis = 0; axis < 3; ++axis) {
            const int periods = axis == 0 ? image.x : (axis == 1 ? image.y : image.z);
            shift[axis] = periods != 0 ? periods * period[axis] : 0.0;
        }
    }
    return shift;
}

void Engine::end_pair_contact(std::size_t c, double dt) {
    const std::uint32_t k = close_[c];
    const model::PairLaw& law = system_.materials.between(system_.bodies.material[parts_[near_[k].a].body],
                                                          system_.bodies.material[parts_[near_[k].b].body]);
    double* const history = &near_history_[k * history_size_];
    detail_[c].answer = {};
    detail_[c].answer.power[sliding] = released(law, history) / dt;  // what its spring still held
    acts_[c] = Acts::ended;
    near_touching_[k] = 0;
    std::fill_n(history, history_size_, 0.0);
}

void Engine::pair_contact(std::size_t at, const Vec3d& d, const std::vector<Motion>& motion, double dt, double step,
                          Look look) {
    const std::uint32_t k = close_[at];
    const Near& pair = near_[k];
    const Part& a = parts_[pair.a];
    const Part& b = parts_[pair.b];
    const double radius_i = balls_[pair.a].radius;
    const double radius_j = balls_[pair.b].radius;
    double* const history = &near_history_[k * history_size_];
    const Meeting<double> met =
        meet(d, radius_i, radius_j, side(a, motion), side(b, motion), near_touching_[k] != 0, near_normal_[k]);
    const laws::Kinematics<double>& c = met.contact;
    const model::PairLaw& law =
        system_.materials.between(system_.bodies.material[a.body], system_.bodies.material[b.body]);
    const auto give = [&](const Push& push) {
        acts_[at] = Acts::yes;
        slot_[at] = {push.force, cross(met.arm_i, push.force) + push.moment,
                     -(cross(met.arm_j, push.force) + push.moment)};
    };
    if (look == Look::forces) {
        if (const std::optional<Push> push = grains::push(law, c, history, step)) {
            give(*push);
        }
        return;
    }
    const bool jumped = near_touching_[k] && has_jumped(near_normal_[k], c.normal);
    const double lost = jumped && dt > 0 ? project(law, c.normal, history) / dt : 0;
    const std::optional<Answer> answer = respond(law, c, history, dt, step);
    if (!answer) {
        if (dt > 0 && near_touching_[k]) {
            end_pair_contact(at, dt);
            detail_[at].answer.power[sliding] += lost;
        }
        return;
    }
    give(*answer);
    if (dt > 0) {
        near_touching_[k] = 1;
        near_normal_[k] = c.normal;
    }
    detail_[at] = {*answer, c.normal, motion[a.body].position + met.arm_i, c.overlap, std::min(radius_i, radius_j)};
    detail_[at].answer.power[sliding] += lost;
}

void Engine::wall_contact(std::size_t q, std::size_t from, const geometry::Nearest& near,
                          const std::vector<Motion>& motion, double dt, double step, Look look, bool anew) {
    const Part& part = parts_[walls_.body[q]];
    const double radius = balls_[walls_.body[q]].radius;
    const model::Wall& wall = system_.walls[walls_.wall[q]];
    const model::PairLaw& law = system_.materials.between(system_.bodies.material[part.body], wall.material);
    thread_local std::vector<double> blank;
    blank.assign(anew ? history_size_ : 0, 0.0);
    double* const history = anew && !(dt > 0) ? blank.data() : &walls_.history[from * history_size_];
    double let_go = 0;  // W, of the contact before
    if (anew && dt > 0) {
        let_go = released(law, history) / dt;
        std::fill_n(history, history_size_, 0.0);
        walls_.touching[from] = 0;
    }
    const bool touched = !anew && walls_.touching[from] != 0;
    Detail& detail = wall_detail_[q];
    wall_acts_[q] = Acts::no;
    const auto end = [&](double lost) {
        if (dt > 0 && touched) {
            detail.answer = {};
            detail.answer.power[sliding] = lost + released(law, history) / dt;
            wall_acts_[q] = Acts::ended;
            walls_.touching[q] = 0;
            std::fill_n(history, history_size_, 0.0);
        }
    };
    if (!near.acts || !(near.distance < radius + range_) || law.law < 0 || !(nature_[part.body].inverse_mass > 0)) {
        end(0);
        return;
    }
    const Motion& m = motion[part.body];
    laws::Kinematics<double> c;
    c.normal = near.direction;
    c.overlap = radius - near.distance;
    c.lever_i = near.distance;
    c.lever_j = 0;
    const Vec3d arm = part.arm + c.normal * c.lever_i;
    const Vec3d u = wall.pose.velocity_at(near.point) - m.velocity - cross(m.spin, arm);
    c.opening = dot(u, c.normal);
    c.slip = u - c.normal * c.opening;
    c.spin = m.spin - wall.pose.spin;
    c.spin_sum = dot(m.spin + wall.pose.spin, c.normal);
    const bool jumped = touched && has_jumped(walls_.normal[from], c.normal);
    c.half_turn = touched && !jumped ? (c.normal - walls_.normal[from]) * 0.5 : Vec3d{};
    c.rolling_lever = c.lever_i;
    c.radius_i = radius;
    c.curvature = 1 / radius;
    c.inverse_mass = mobility(side(part, motion), arm, c.normal) + model::drive_mobility(wall, near.point, c.normal);
    c.mass = 1 / c.inverse_mass;
    const double turning = largest(nature_[part.body].inverse_moment);
    c.inertia = turning > 0 ? 1 / turning : 0;
    if (look == Look::forces) {
        if (const std::optional<Push> push = grains::push(law, c, history, step)) {
            static_cast<Push&>(detail.answer) = *push;
            wall_acts_[q] = Acts::yes;
        }
    } else {
        const double lost = jumped && dt > 0 ? project(law, c.normal, history) / dt : 0;
        const std::optional<Answer> answer = respond(law, c, history, dt, step);
        if (!answer) {
            end(lost);
            return;
        }
        detail.answer = *answer;
        detail.answer.power[sliding] += lost + let_go;
        wall_acts_[q] = Acts::yes;
        if (dt > 0) {
            walls_.touching[from] = 1;
            walls_.normal[from] = c.normal;
        }
    }
    detail.normal = c.normal;
    detail.point = m.position + arm;
    detail.overlap = c.overlap;
    detail.weight = radius;
}

/// Each place at which a sphere meets a mesh is a wall of its own.
void Engine::mesh_contacts(std::uint32_t q, std::uint32_t sides, const std::vector<Motion>& motion, double dt,
                           double step, Look look) {
    const model::Wall& wall = system_.walls[walls_.wall[q]];
    const geometry::Ball& ball = balls_[walls_.body[q]];
    geometry::SurfaceContacts found;
    if (wall.present) {
        found = search::mesh_contacts(wall, system_.domain, walls_, q, ball.center, ball.radius + range_);
    }
    const search::MeshSides followed = search::follow_sides(walls_, q, sides, found);
    for (std::uint32_t s = 0; s < sides; ++s) {
        const std::int8_t contact = followed.contact[s];
        geometry::Nearest near;
        near.acts = false;
        if (contact != search::MeshSides::none) {
            near = found.of[static_cast<std::size_t>(contact)].near;
        }
        wall_contact(q + s, q + s, near, motion, dt, step, look, followed.anew[s]);
    }
}

void Engine::wall_contacts(std::size_t part, const std::vector<Motion>& motion, double dt, double step, Look look) {
    const std::uint32_t end = walls_.row[part + 1];
    for (std::uint32_t q = walls_.row[part], next = q; q < end; q = next) {
        const std::uint32_t count = search::sides_of(walls_, q, end);
        next = q + count;
        const model::Wall& wall = system_.walls[walls_.wall[q]];
        if (search::is_mesh(wall)) {
            mesh_contacts(q, count, motion, dt, step, look);
            continue;
        }
        const bool far_listed = count > 1;
        backends::cpu::WallSides sides;
        sides.near.acts = false;
        if (wall.present) {
            sides = backends::cpu::find_sides(walls_, q, far_listed, wall, system_.domain, balls_[part].center);
        }
        // When a sphere crosses the axis of a round wall, what was near becomes far.
        const bool exchanged = sides.exchanged && far_listed;
        if (exchanged && dt > 0) {
            std::swap(walls_.touching[q], walls_.touching[q + 1]);
            std::swap(walls_.normal[q], walls_.normal[q + 1]);
            std::swap_ranges(&walls_.history[q * history_size_], &walls_.history[(q + 1) * history_size_],
                             &walls_.history[(q + 1) * history_size_]);
        }
        const bool borrowed = exchanged && !(dt > 0);  // histories stay where they are, and are read crosswise
        wall_contact(q, borrowed ? q + 1 : q, sides.near, motion, dt, step, look);
        if (far_listed) {
            wall_contact(q + 1, borrowed ? q : q + 1, sides.far, motion, dt, step, look);
        }
    }
}

void Engine::evaluate(const std::vector<Motion>& motion, double time, double dt, double step, Look look) {
    for (model::Wall& wall : system_.walls) {
        if (wall.present && !wall.motion.at_rest()) {
            wall.pose = pose_at(wall.base, wall.motion, time);
        }
    }
    if (options_.rebuild_every_step || !is_close_for(motion)) {
        timer_.time("list", [&] {
            choose_close(motion, dt > 0);
            if (options_.rebuild_every_step || !is_listed_for_close()) {
                list();
            }
            pick_close();
        });
    }
    timer_.time("contacts", [&] {
        place(motion);
        base::SharedBlocks at_walls(wall_parts_.size(), wall_block);
        base::SharedBlocks pairs(close_.size(), pair_block);
        base::in_team(threads_for(close_.size() + wall_parts_.size()), [&](std::size_t /*rank*/) {
            at_walls.take([&](std::size_t begin, std::size_t end) {
                for (std::size_t w = begin; w < end; ++w) {
                    wall_contacts(wall_parts_[w], motion, dt, step, look);
                }
            });
            if (look == Look::forces) {
                push_pairs(pairs, motion, step);
            } else {
                answer_pairs(pairs, motion, dt, step);
            }
        });
    });
    if (system_.fields.any()) {
        timer_.time("fields", [&] { feel_fields(motion, time); });
    }
    timer_.time("gather", [&] {
        base::SharedBlocks bodies(motion.size(), body_block);
        base::in_team(threads_for(close_.size() + motion.size()), [&](std::size_t /*rank*/) {
            bodies.take([&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    if (look == Look::forces) {
                        gather<Look::forces>(i, motion, step);
                    } else {
                        gather<Look::full>(i, motion, step);
                    }
                }
            });
        });
    });
}

const std::vector<Wrench>& Engine::wrenches(const std::vector<Motion>& motion, double time, double step) {
    if (stale_) {
        start_anew();
    }
    evaluate(motion, time, 0, step, Look::forces);
    return wrench_;
}

}  // namespace talus::engines::grains
