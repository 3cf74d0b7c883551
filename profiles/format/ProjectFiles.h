//===- ProjectFiles.h - a project's files beside its root -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which headers outside the root that ProjectRoot finds belong to the
// project nevertheless (`-I ../include`, `#include "../x.h"`), and their names
// in ids. A name depends only on the root and the file, not on other files of a
// unit, so units agree about shared headers.
// Not here: roots that the user names; then only files below the root belong to
// the project.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROJECTFILES_H
#define EVENKEEL_PROFILES_FORMAT_PROJECTFILES_H

#include <string>

namespace evenkeel {

/// \p File relative to \p Root; empty if it is not below \p Root.
std::string nameBelow(const std::string &File, const std::string &Root);

/// The name of \p File in ids of the project at \p Root; both are absolute,
/// without links. It is relative to the root or, outside the root, to the
/// deepest folder that contains both. Empty if the file belongs to others:
///   - the common folder is shared by many projects (`/`, `/usr`, `/opt`, the
///     home folder and its parents, `/tmp` and others with the sticky bit);
///   - the file was installed (below the folder of a package, of conda, spack
///     or a Python environment), or is the runtime's own header;
///   - only one of both is under version control, or they are under different
///     version control.
std::string nameInProject(const std::string &File, const std::string &Root);

} // namespace evenkeel

#endif
