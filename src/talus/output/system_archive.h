// A whole System into an HDF5 file and back, bit for bit.
#pragma once

#include "talus/model/system.h"
#include "talus/output/hdf5_file.h"

namespace talus::output {

void save_system(Hdf5File& file, const model::System& system);

/// The touching pairs come back as lists that hold nothing else. Throws base::InputError where the file cannot be read,
/// another std::exception that says why where what it holds makes no System.
model::System load_system(const Hdf5File& file);

}  // namespace talus::output
