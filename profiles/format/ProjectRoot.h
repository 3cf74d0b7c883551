//===- ProjectRoot.h - where a project's paths start ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which folder is the root of the project that units belong to, where
// nobody says so. Ids are relative to it, so whoever forms ids asks here: the
// deepest folder that holds
//   - the units and the folders in which they are compiled,
//   - what they include by name ("../src/part.c"): generated and unity units
//   lie
//     in the build folder and include the project's sources,
//   - of a build made by CMake, Meson or configure, its folder and that of the
//     project; of one made by make, the outermost of the folders with makefiles
//     around it.
// Where only `/` holds all that, builds do not count.
// Not here: roots that people name (--root, EVENKEEL_ROOT).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROJECTROOT_H
#define EVENKEEL_PROFILES_FORMAT_PROJECTROOT_H

#include <set>
#include <string>

namespace evenkeel {

class ProjectRoot {
  std::set<std::string> Sources, Builds; // folders, canonical

  void addBuild(const std::string &Directory);
  void addSource(const std::string &File, unsigned Depth);

public:
  /// A unit that is compiled in \p Directory; \p File may be relative to that.
  void add(const std::string &Directory, const std::string &File);
  /// Empty where nothing was added, or only `/` holds it.
  std::string get() const;
};

/// The root for one unit alone, which whoever compiles it knows: its paths are
/// relative to that. The folder of \p File where ProjectRoot finds none.
std::string rootOfUnit(const std::string &Directory, const std::string &File);

} // namespace evenkeel

#endif
