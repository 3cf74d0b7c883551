//===- ReadAhead.h - a unit read by a copy of its compiler ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: most of a unit's text is often system headers that come first. The
// compiler reads those once: at the first token of a file below the root the
// process is copied (fork), the copy reads the rest, without code as its
// result, and tells what it found; the compiler, which has waited, goes on with
// the edited texts. Files that it has begun to read lie in buffers with room
// behind their ends, where their rest is exchanged.
// Not here: units where that cannot be (isPossible; a first token that is to
// be edited itself; a file read to its end before it is edited): those are
// parsed beside their compilation (NestedParse).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_READAHEAD_H
#define EVENKEEL_REWRITER_PLUGIN_READAHEAD_H

#include "EditedUnit.h"
#include "walk/Collect.h"
#include "unit/FirstError.h"
#include "clang/Basic/SourceLocation.h"
#include <functional>
#include <optional>

namespace clang {
class ASTConsumer;
class CompilerInstance;
class Decl;
class Sema;
class Token;
} // namespace clang

namespace evenkeel {

class ReadAhead {
public:
  /// Reason of a unit whose copy could not be made, or died.
  static constexpr char CopyFailed[] = "copy-failed";
  /// Called in the compiler's process with what the copy found.
  using Use = std::function<void(EditedUnit)>;

  /// Whether the unit that \p CI is about to read can be read this way.
  static bool isPossible(clang::CompilerInstance &CI);

  /// \p CI has its main file and nothing else. \p Options are copied; what they
  /// point to must live as long as this, and this as long as \p CI parses.
  ReadAhead(clang::CompilerInstance &CI, const CollectOptions &Options,
            const std::string &Name, Use Then);

  /// Stands before \p Consumer, which sees nothing in the copy.
  std::unique_ptr<clang::ASTConsumer>
  before(std::unique_ptr<clang::ASTConsumer> Consumer);

  /// The text of the main file, without the room behind it.
  llvm::StringRef mainText() const;

  /// From within Use: lets \p Files take the place of what is not read yet.
  /// False, with nothing changed, when that is too late for one of them.
  bool place(std::vector<EditedBuffer> &Files, bool NeedsHeader);
  /// From within Use: nothing comes out of this compilation.
  void mute() { Silent = true; }

private:
  friend class Guard;
  friend class Watcher;

  void makeRoom(clang::FileEntryRef File, llvm::StringRef Text, size_t Extra);
  bool isInRoot(clang::FileEntryRef File);
  bool isInSystemHeader(clang::SourceLocation Loc);
  void token(const clang::Token &T);
  void noteOpenFiles();
  void becomeCopy(int Pipe);
  void putHeaderBefore(clang::Token &T);
  [[noreturn]] void finishCopy();
  EditedUnit collect();

  clang::CompilerInstance &CI;
  CollectOptions Options;
  std::string Name, Directory;
  Use Then;
  QuotedText Quoted;
  BegunFiles Begun;
  clang::Sema *S = nullptr;
  clang::Token *First = nullptr; // while Use runs
  bool InRoot = false;           // the file that is being read
  bool Over = false;             // there was a first token
  bool IsCopy = false, Silent = false;
  int Pipe = -1;
  std::string FirstError;
  std::optional<FirstErrorConsumer> Errors;
};

} // namespace evenkeel

#endif
