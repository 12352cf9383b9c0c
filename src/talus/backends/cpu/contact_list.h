// The list of pairs that truly touch or are about to, in blocks for the contact loop, with the histories that contacts
// carry from list to list. What is listed beyond the touching pairs never changes a bit.
#pragma once

#include "talus/backends/cpu/workspace.h"

namespace talus::backends::cpu {

class ContactLists {
public:
    /// Where histories come from: contacts that were listed before the bodies were sorted or not, or the model's pairs.
    enum class Source : std::uint8_t { listed, model };

    /// Lists those pairs of `work.near` whose gap is below the sum of their margins. `old_place`: where each body was
    /// in the list before; empty if no body has changed its place.
    void prune(const model::System& system, Workspace& work, Source source, int threads,
               const std::vector<std::uint32_t>& old_place = {});

private:
    /// A near pair that becomes a contact.
    struct Kept {
        std::uint32_t place, near;  // row and number of the near pair
        std::uint32_t before;       // its contact in the list before, 0: none
        std::uint16_t group;        // class and kind
        std::uint8_t code;          // image now
    };
    struct Overflow {
        std::uint32_t place, ref;
    };
    void choose_classes(const model::System& system, const Workspace& work);
    void mark(const model::System& system, Workspace& work, Source source, int threads);
    void lay_out(Workspace& work);
    void fill(const model::System& system, Workspace& work, Source source, int threads);
    void order_refs(Workspace& work, int threads);
    std::uint32_t find_listed(const Workspace& work, std::uint32_t i, std::uint32_t j, std::uint8_t code) const;

    Contacts old_;                          // the contacts before, swapped back and forth
    std::vector<std::uint32_t> old_place_;  // by place now
    std::vector<std::int16_t> class_of_;    // by pair of materials; -1: no contact
    std::size_t materials_ = 0;
    std::vector<std::int16_t> material_;  // by place
    std::vector<ContactClass> classes_;
    std::vector<std::vector<Kept>> kept_;         // by tile
    std::vector<std::uint32_t> contact_of_;       // by near pair: its contact in the list now, 0: none
    std::vector<std::vector<std::size_t>> next_;  // by tile, class and kind: number of contacts, then the first's place
    std::vector<std::vector<Overflow>> overflow_;  // by tile
};

/// Deals tiles out to threads and slots to blocks, after the contacts were listed.
void assign_slots(Workspace& work, int threads);

/// Writes the touching pairs with their histories into the model.
void export_pairs(model::System& system, const Workspace& work);

/// A body was moved by whole periods: its contacts' images change so that the contacts stay the same.
void shift_images(Workspace& work, std::uint32_t place, const model::Image& periods);

/// Calls visit(contact, side) for the contacts of a body in order of partner id.
template <class Visit>
void for_contacts(const Contacts& contacts, std::size_t place, const Visit& visit) {
    for (const std::uint32_t ref : contacts.refs[place]) {
        if (ref >= 16) {  // block 0 is empty
            visit(ref >> 1U, ref & 1U);
        }
    }
    if (!contacts.more_row.empty()) {
        for (std::uint32_t k = contacts.more_row[place]; k < contacts.more_row[place + 1]; ++k) {
            visit(contacts.more[k] >> 1U, contacts.more[k] & 1U);
        }
    }
}

/// The age of a contact: positive while it touches.
inline double age_of(const Contacts& contacts, std::size_t contact) {
    return contacts.history[((contact / 8 + 1) * contacts.history_size - 1) * 8 + contact % 8];
}

}  // namespace talus::backends::cpu
