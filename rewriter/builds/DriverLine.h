//===- DriverLine.h - a compiler driver's command line ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the parts of a gcc or clang command line that a wrapper needs: the
// inputs (also from response files), their languages, the output, and which
// options are ours or only gcc's.
// Not here: all other options, which are left to the compiler.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_DRIVERLINE_H
#define EVENKEEL_REWRITER_DRIVERLINE_H

#include <string>
#include <vector>

namespace evenkeel {

/// The last stage of the compilation.
enum class Stage { Preprocess, Check, Assembly, Object, Link };

struct DriverLine {
  /// For the compiler: the words without ours and gcc's; response files are
  /// kept unless they contain such a word.
  std::vector<std::string> Words;
  std::vector<std::string> Dropped; // gcc's options, in order
  /// Words without inputs, output and -c; response files are replaced by their
  /// words: what all units of the line are compiled with.
  std::vector<std::string> Options;
  struct Word {
    std::string Text;
    bool IsInput = false; // a file, not an option or its value
  };
  /// Words with response files replaced by their words.
  std::vector<Word> Expanded;

  // Ours.
  std::string Record;   // --record=
  std::string Plan;     // --plan=
  std::string Root;     // --root=
  std::string Wrappers; // --wrapper=, separated by commas
  bool Rewrite = true;
  bool Help = false; // --help without inputs

  Stage Until = Stage::Link;
  bool HasInputs = false;
  std::vector<std::string> Files;              // inputs except -lNAME
  std::vector<std::string> Libraries, Folders; // -lNAME, -LDIR
  std::string Linker;                          // -fuse-ld= or --ld-path=
  bool LinkTime = false;                       // link-time optimisation: -flto
  bool HasSources = false;                     // C or C++, preprocessed or not
  std::string FirstSource;                     // the first of these
  bool HasIncludes = false; // sources, or assembly with preprocessing
  bool Shared = false, Static = false, Relocatable = false;
  bool NoLibraries = false; // -nostdlib, -nodefaultlibs
  bool NamesLibc = false;   // -lc
  bool Optimised = false, Debug = false;
  bool AddressSanitizer = false;
};

/// If one of our options is wrong, \p Problem is set to one line.
DriverLine readDriverLine(const std::vector<std::string> &Arguments,
                          std::string &Problem);

/// Whether clang 19 rejects \p Option and it can be dropped without loss.
bool isGccOnly(const std::string &Option);

} // namespace evenkeel

#endif
