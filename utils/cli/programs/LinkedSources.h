//===- LinkedSources.h - sources of a linked program ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the symbols of ELF files that name sources, and which libraries of the
// project a program is linked with: those in folders that the program names.
// Not here: build systems, which are used first if there is one (CompileDb).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_LINKEDSOURCES_H
#define EVENKEEL_UTILS_CLI_LINKEDSOURCES_H

#include <set>
#include <string>

namespace evenkeel::cli {

/// Names of the sources of \p Program and its own libraries, without folders;
/// empty if it is not an ELF program, or is stripped. For a libtool script,
/// those of the program that it starts.
std::set<std::string> linkedSources(const std::string &Program);

} // namespace evenkeel::cli

#endif
