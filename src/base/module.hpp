// SPDX-License-Identifier: Apache-2.0
// Parts of the program that are loaded when somebody asks for them.
//
// Idea: what needs a library that not everybody has is a module, panoptes-NAME.so, which gives one
// function. Who never asks pays nothing at start-up and needs no library of it. How it can fail:
// the module is not there, or its library is not; the failure says which. Thread safety: none
// needed; modules stay loaded to the end of the process.
#pragma once

#include <string>

#include "base/result.hpp"

namespace panoptes {

// The address of the function `symbol` of the module `name`, or why there is none: what to append
// to the name of something that is missing.
Result<void*, std::string> find_in_module(const std::string& name, const char* symbol);

}  // namespace panoptes
