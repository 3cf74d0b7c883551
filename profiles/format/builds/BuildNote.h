//===- BuildNote.h - how a program was built, inside itself -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the compiler leaves one line per unit in a section of the object file,
// and one per link in a section of the program; neither is ever loaded, and
// linkers concatenate them. From these lines alone, the program's sources can
// be analysed, and the program be built again for recording, without its build
// system. A line has no copy of the source, but a hash of each file that the
// unit read, so that a file which was edited since is noticed.
// Makes: these lines, and the values read back from them.
// Not here: object files (utils/cli/programs/ElfFile), compiling.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_BUILDS_BUILDNOTE_H
#define EVENKEEL_PROFILES_FORMAT_BUILDS_BUILDNOTE_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace evenkeel {

inline constexpr char UnitsSection[] = ".evenkeel.build";
inline constexpr char LinkSection[] = ".evenkeel.link";
/// With this variable, the compiler wrapper hands its part of each unit's line
/// to the plugin, which knows the rest.
inline constexpr char UnitVariable[] = "EVENKEEL_UNIT";

/// What the compiler wrapper knows of the units that one command compiles.
struct CompileLine {
  std::string Directory;          // absolute
  std::vector<std::string> Words; // the compiler's name, then its options
                                  // without those of Evenkeel
  std::string Root;               // the project's root if it was named, or ""
};

/// One unit of a program.
struct BuiltUnit {
  CompileLine Line;
  std::string File;   // absolute
  bool IsCxx = false; // C++, else C
  /// Content hashes of all files of the unit outside system headers; by
  /// absolute path.
  std::map<std::string, uint64_t> Files;
};

/// One link.
struct BuiltLink {
  std::string Directory;          // absolute
  std::vector<std::string> Words; // as in CompileLine, inputs included
};

/// A hash of a file's contents \p Text.
uint64_t contentHash(std::string_view Text);

std::string compileLineText(const CompileLine &L);
std::optional<CompileLine> readCompileLine(const std::string &Text);

/// One line each, without line ends.
std::string unitLine(const BuiltUnit &U);
std::string linkLine(const BuiltLink &L);

/// The contents of the two sections of a program. Lines that are not ours, or
/// broken, are counted in \p Broken; units that occur several times (an archive
/// in two libraries) are given once. In the order of the section.
std::vector<BuiltUnit> readUnits(std::string_view Section, size_t &Broken);
/// The last link: a program's own, after those of objects linked before.
std::optional<BuiltLink> readLink(std::string_view Section);

/// \p Line and a line end as directives of the GNU assembler that put it into
/// \p Section.
std::string assemblyOf(const std::string &Section, const std::string &Line);

} // namespace evenkeel

#endif
