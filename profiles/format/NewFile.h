//===- NewFile.h - a file that will take another's place --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how an output is written beside its place and then renamed, so that a
// file is there complete or not at all. The name beside it cannot be foreseen,
// and nothing that has it already is opened, a link least of all: in a folder
// where others may write, nobody can choose what we write to. The file that was
// there passes its mode on.
// Not here: what is in the file; devices and pipes, which are not replaced.
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
  /// An empty file beside \p Path, with the mode of the file \p ModeOf (of
  /// \p Path where that is empty), or of new files where there is none. A link
  /// at \p Path itself is followed to the file that it leads to.
  static Expected<NewFile> beside(const std::string &Path,
                                  const std::string &ModeOf = "");
  /// Whether \p Path can be written, without writing it.
  static MaybeError canBeWritten(const std::string &Path);

  NewFile(NewFile &&Other) noexcept;
  NewFile &operator=(NewFile &&) = delete;
  /// Removes the file unless it was published.
  ~NewFile();

  /// Where it lies, for writers that open files by name.
  const std::string &path() const { return Temporary; }
  /// The place that it will take.
  const std::string &place() const { return Final; }

  MaybeError write(const std::string &Text);
  /// Gives the file its place.
  MaybeError publish();
};

/// Whether \p Name is a name of a file that was not published.
bool isUnfinished(const std::string &Name);
/// Whether \p Name is that of a file which a process that is gone left behind;
/// \p Final is then what it was to become.
bool isLeftOver(const std::string &Name, std::string &Final);

} // namespace evenkeel

#endif
