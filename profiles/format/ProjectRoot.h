//===- ProjectRoot.h - the root of a project's paths ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to find the root of the units' project if the user does not name
// it. Ids are relative to the root, so all code that forms ids uses this: the
// deepest folder that contains
//   - the units and the folders in which they are compiled,
//   - the sources that they include by name ("../src/part.c"): generated and
//     unity units lie in the build folder and include the project's sources,
//   - for a build by CMake, Meson or configure, its folder and that of the
//     project; for one by make, the outermost enclosing folder with a makefile.
// If only `/` contains all of these, builds are ignored.
// Not here: roots that the user names (--root, EVENKEEL_ROOT).
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
  /// Adds a unit that is compiled in \p Directory; \p File may be relative to
  /// it.
  void add(const std::string &Directory, const std::string &File);
  /// Empty if nothing was added, or if only `/` contains everything.
  std::string get() const;
};

/// The root for a single unit, as its compiler needs it: from ProjectRoot, or
/// else the folder of \p File.
std::string rootOfUnit(const std::string &Directory, const std::string &File);

} // namespace evenkeel

#endif
