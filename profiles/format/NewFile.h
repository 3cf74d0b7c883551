//===- NewFile.h - a file that will replace another -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: an output is written to a temporary file beside its final place and
// then renamed, so it exists completely or not at all. The temporary name is
// unpredictable, and an existing file or link of that name is never opened, so
// in a folder that others can write they cannot redirect our output. The new
// file gets the mode of the old one.
// Not here: the contents; devices and pipes, which are not replaced.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_NEWFILE_H
#define EVENKEEL_PROFILES_FORMAT_NEWFILE_H

#include "Error.h"
#include <string>

namespace evenkeel {

class NewFile {
  std::string Shown, Final, Temporary;
  int Descriptor = -1;

  NewFile(std::string Shown, std::string Final)
      : Shown(std::move(Shown)), Final(std::move(Final)) {}
  Error failed() const;

public:
  /// Creates an empty file beside \p Path, with the mode of \p ModeOf (of \p
  /// Path if empty), or the mode of new files if that does not exist. If \p
  /// Path is a link, its target is used.
  static Expected<NewFile> beside(const std::string &Path,
                                  const std::string &ModeOf = "");
  /// Checks whether \p Path can be written, without writing it.
  static MaybeError canBeWritten(const std::string &Path);

  NewFile(NewFile &&Other) noexcept;
  NewFile &operator=(NewFile &&) = delete;
  /// Removes the file unless it was published.
  ~NewFile();

  /// The temporary path, for writers that open files by name.
  const std::string &path() const { return Temporary; }
  /// The final path.
  const std::string &place() const { return Final; }

  MaybeError write(const std::string &Text);
  /// Renames the file to its final path.
  MaybeError publish();
};

/// Whether \p Name is a temporary name.
bool isUnfinished(const std::string &Name);
/// Whether \p Name is a temporary file of a process that has ended. Sets \p
/// Final to its intended path.
bool isLeftOver(const std::string &Name, std::string &Final);

} // namespace evenkeel

#endif
