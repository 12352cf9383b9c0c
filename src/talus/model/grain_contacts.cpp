#include "talus/model/grain_contacts.h"

#include <algorithm>

#include "talus/model/squeeze.h"

namespace talus::model {

void GrainContacts::clear() {
    const std::size_t size = history_size;
    *this = {};
    history_size = size;
}

void compact(GrainContacts& contacts, const std::vector<char>& keep) {
    std::vector<std::uint32_t> now(keep.size());
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < keep.size(); ++i) {
        now[i] = next;
        next += keep[i] ? 1U : 0U;
    }
    std::vector<char> stays(contacts.size());
    std::size_t kept = 0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        stays[c] = keep[contacts.body[c]] && (contacts.wall[c] || keep[contacts.partner[c]]) ? 1 : 0;
        if (stays[c]) {
            std::copy_n(&contacts.history[c * contacts.history_size], contacts.history_size,
                        &contacts.history[kept++ * contacts.history_size]);
        }
        contacts.body[c] = now[contacts.body[c]];
        contacts.partner[c] = contacts.wall[c] ? contacts.partner[c] : now[contacts.partner[c]];
    }
    contacts.history.resize(kept * contacts.history_size);
    squeeze(contacts.body, stays);
    squeeze(contacts.part, stays);
    squeeze(contacts.partner, stays);
    squeeze(contacts.partner_part, stays);
    squeeze(contacts.wall, stays);
    squeeze(contacts.image, stays);
    squeeze(contacts.normal, stays);
}

}  // namespace talus::model
