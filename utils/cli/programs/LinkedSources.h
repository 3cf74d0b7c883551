//===- LinkedSources.h - sources of a linked program ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the symbols of ELF files that name sources, and which libraries of its
// own a program is linked with: those in folders that it names itself.
// Not here: build systems, which know better where there is one (CompileDb).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_LINKEDSOURCES_H
#define EVENKEEL_UTILS_CLI_LINKEDSOURCES_H

#include <set>
#include <string>

namespace evenkeel::cli {

/// Names of the sources of \p Program and its own libraries, without folders;
/// empty where it is no ELF program, or stripped. Of a script that libtool
/// made, the program that it starts.
std::set<std::string> linkedSources(const std::string &Program);

} // namespace evenkeel::cli

#endif
