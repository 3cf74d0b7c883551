//===- ReadAhead.h - reading a unit in a copy of the compiler ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: system headers at the top are often most of a unit's text. To read
// them only once, the compiler forks at the first token of a file below the
// root. The copy parses the rest without making code and reports its findings;
// the compiler waits for them and then continues with the edited texts. Files
// that it has begun to read are in buffers with padding at the end, in which
// their remaining text is replaced.
// Not here: units for which this is impossible (isPossible; an edit at the
// first token; a file that is edited after it was read to its end): those are
// parsed by NestedParse.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_READAHEAD_H
#define EVENKEEL_REWRITER_PLUGIN_READAHEAD_H

#include "EditedUnit.h"
#include "unit/FirstError.h"
#include "walk/Collect.h"
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
  /// Called in the compiler's process with the findings of the copy, or with
  /// Refusal::CopyFailed if the copy could not be made, or died.
  using Use = std::function<void(EditedUnit)>;

  /// Whether the unit of \p CI can be read this way.
  static bool isPossible(clang::CompilerInstance &CI);

  /// \p CI must have read only its main file. \p Options are copied; what they
  /// point to must outlive this object, which must exist while \p CI parses.
  ReadAhead(clang::CompilerInstance &CI, const CollectOptions &Options,
            const std::string &Name, Use Then);

  /// A consumer that passes everything on to \p Consumer, except in the copy.
  std::unique_ptr<clang::ASTConsumer>
  before(std::unique_ptr<clang::ASTConsumer> Consumer);

  /// The text of the main file without padding.
  llvm::StringRef mainText() const;

  /// To be called by Use: replaces the texts of \p Files from where they are
  /// not yet read. False, with nothing changed, if that is too late for one of
  /// them.
  bool place(std::vector<EditedBuffer> &Files, bool NeedsHeader);
  /// To be called by Use: this compilation makes no output.
  void mute() { Silent = true; }

private:
  friend class Guard;
  friend class Watcher;

  void makeRoom(clang::FileEntryRef File, llvm::StringRef Text, size_t Extra);
  bool isInRoot(clang::FileEntryRef File);
  bool isInSystemHeader(clang::SourceLocation Loc);
  void token(const clang::Token &T);
  void noteOpenFiles();
  void becomeCopy(int To);
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
  bool InRoot = false;           // of the current file
  bool Over = false;             // the first token was reached
  bool IsCopy = false, Silent = false;
  int Pipe = -1;
  std::string FirstError;
  std::optional<FirstErrorConsumer> Errors;
};

} // namespace evenkeel

#endif
