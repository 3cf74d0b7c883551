//===- ProjectFiles.h - which files a project has beside its root -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which headers beside the root that ProjectRoot finds belong to the
// project all the same (`-I ../include`, `#include "../x.h"`), and the names by
// which ids know them. A name depends on the root and the file alone, not on
// what else a unit includes, so units agree about the headers that they share.
// Not here: roots that people name: there, only what lies below is theirs.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROJECTFILES_H
#define EVENKEEL_PROFILES_FORMAT_PROJECTFILES_H

#include <string>

namespace evenkeel {

/// \p File relative to \p Root, or empty when it does not lie below.
std::string nameBelow(const std::string &File, const std::string &Root);

/// \p File as ids of the project at \p Root name it; both are absolute, without
/// links. Below the root that is relative to the root, else to the deepest
/// folder that holds both. Empty for files of others:
///   - that folder is one that many projects share (`/`, `/usr`, `/opt`, the
///     home folder, those above it, `/tmp` and others with the sticky bit);
///   - the file was installed (below the folder of a package, of conda, spack
///     or a Python environment), or is the run time's own header;
///   - only one of both is under version control, or they are apart.
std::string nameInProject(const std::string &File, const std::string &Root);

} // namespace evenkeel

#endif
