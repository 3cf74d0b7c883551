//===- Twin.h - a program built again for recording -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a program that evenkeel-cc built says how its units were compiled and
// how it was linked. Its twin is compiled from the same sources with the same
// options and --record, and linked from the same words, with its own objects in
// the place of the program's; so are the project's shared libraries. Objects
// that say nothing (assembler, other compilers, libraries of vendors) are
// linked as they are.
// Makes: the twin, once per build of the program and way of recording.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TWIN_H
#define EVENKEEL_UTILS_CLI_TWIN_H

#include "BuiltProgram.h"
#include <string>

namespace evenkeel::cli {

struct Twin {
  std::string Program;
  size_t Units = 0; // instrumented
  size_t Plain = 0; // objects that are linked as they are
};

/// The objects and archives on the link lines of \p P with code that was not
/// compiled by evenkeel-cc: nobody knows what it allocates and accesses. Not
/// libraries of the system, nor shared ones.
std::vector<std::string> inputsWithoutUnits(const BuiltProgram &P);

/// The twin of \p P that records by \p Mode (misses, sampled, counts), in the
/// folder \p Folder, which may have one already. Shows progress. Fails with the
/// first error of compiler or linker, and if a source was edited since.
Twin makeTwin(const BuiltProgram &P, const std::string &Mode,
              const std::string &Folder);

} // namespace evenkeel::cli

#endif
