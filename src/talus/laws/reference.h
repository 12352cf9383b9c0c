// The docs page of the contact laws, written from the registry.
#pragma once

#include <string>

namespace talus::laws {

std::string reference_markdown();

}  // namespace talus::laws
