// Counts what a contact law computes: the law is a template on its number type, and this one counts.
#include <array>
#include <cmath>

#include "limits.h"
#include "talus/laws/hooke.h"

namespace talus::benchmarks {

namespace {

Operations tally;

struct Counted {
    double value = 0;

    Counted() = default;
    Counted(double number) : value(number) {}  // NOLINT(google-explicit-constructor): laws mix them with numbers

    static Counted cheap(double number) {
        ++tally.cheap;
        return {number};
    }
    static Counted slow(double number) {
        ++tally.slow;
        return {number};
    }
    friend Counted operator+(const Counted& a, const Counted& b) { return cheap(a.value + b.value); }
    friend Counted operator-(const Counted& a, const Counted& b) { return cheap(a.value - b.value); }
    friend Counted operator-(const Counted& a) { return {-a.value}; }
    friend Counted operator*(const Counted& a, const Counted& b) { return cheap(a.value * b.value); }
    friend Counted operator/(const Counted& a, const Counted& b) { return slow(a.value / b.value); }
    Counted& operator+=(const Counted& o) { return *this = *this + o; }
    Counted& operator-=(const Counted& o) { return *this = *this - o; }
    Counted& operator*=(const Counted& o) { return *this = *this * o; }
    friend bool operator<(const Counted& a, const Counted& b) { return count(a.value < b.value); }
    friend bool operator<=(const Counted& a, const Counted& b) { return count(a.value <= b.value); }
    friend bool operator>(const Counted& a, const Counted& b) { return count(a.value > b.value); }
    friend bool operator>=(const Counted& a, const Counted& b) { return count(a.value >= b.value); }
    friend Counted sqrt(const Counted& a) { return slow(std::sqrt(a.value)); }
    // Fused ones count as a product and a sum, as the peak rate is that of both.
    friend Counted multiply_add(const Counted& a, const Counted& b, const Counted& c) { return a * b + c; }
    friend Counted less_product(const Counted& c, const Counted& a, const Counted& b) { return c - a * b; }
    friend Counted product_less(const Counted& a, const Counted& b, const Counted& c) { return a * b - c; }
    friend Counted select(bool mask, const Counted& yes, const Counted& no) { return mask ? yes : no; }

private:
    static bool count(bool answer) {
        ++tally.cheap;
        return answer;
    }
};

}  // namespace

Operations operations_of_hooke(bool slipping) {
    laws::Hooke::Params params{};
    params.normal = {8e4, 0, 1.8};
    params.tangential = {2.29e4, 0.9, 0, 0.2, 1};
    laws::Kinematics<Counted> contact{};
    contact.normal = {0, 0, 1};
    contact.overlap = 1e-5;
    contact.slip = {slipping ? 1.0 : 1e-6, 0, 0};
    contact.mass = 2e-3;
    contact.inverse_mass = 500;
    const laws::Hooke::History<Counted> history{};
    tally = {};
    laws::Hooke::respond(contact, params, history, 2e-5);
    return tally;
}

}  // namespace talus::benchmarks
