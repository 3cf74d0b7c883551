//===- DriverLine.h - a compiler driver's command line ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: as much of a gcc or clang command line as a wrapper needs: what goes
// in (also through response files), in which language, what comes out, and
// which options are ours or only gcc's.
// Not here: everything else about options; the compiler behind reads the
// same words.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_WRAPPERS_DRIVERLINE_H
#define EVENKEEL_UTILS_WRAPPERS_DRIVERLINE_H

#include <string>
#include <vector>

namespace evenkeel::wrapper {

/// Where the driver stops.
enum class Stage { Preprocess, Check, Assembly, Object, Link };

struct DriverLine {
  /// For the compiler: the words as given, without ours and gcc's own; response
  /// files are kept unless such a word was in one.
  std::vector<std::string> Words;
  std::vector<std::string> Dropped; // gcc's own, in order

  // Ours.
  std::string Record;   // --record=
  std::string Plan;     // --plan=
  std::string Root;     // --root=
  std::string Wrappers; // --wrapper=, with commas between several
  bool Rewrite = true;
  bool Help = false; // --help without any input

  Stage Until = Stage::Link;
  bool HasInputs = false;
  std::vector<std::string> Files;              // inputs but -lNAME
  std::vector<std::string> Libraries, Folders; // -lNAME, -LDIR
  std::string Linker;                          // -fuse-ld= or --ld-path=
  bool LinkTime = false;                       // optimised at the link: -flto
  bool HasSources = false;                     // C or C++, preprocessed or not
  std::string FirstSource;                     // of those
  bool HasIncludes = false; // sources, assembler with a preprocessor
  bool Shared = false, Static = false, Relocatable = false;
  bool NoLibraries = false; // -nostdlib, -nodefaultlibs
  bool NamesLibc = false;   // -lc
  bool Optimised = false, Debug = false;
  bool AddressSanitizer = false;
};

/// \p Problem is set, one line, when one of our options is wrong.
DriverLine readDriverLine(const std::vector<std::string> &Arguments,
                          std::string &Problem);

/// Whether clang 19 refuses \p Option and nothing is lost without it.
bool isGccOnly(const std::string &Option);

} // namespace evenkeel::wrapper

#endif
