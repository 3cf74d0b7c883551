//===- Layout.cpp - edits in the format of the project --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Layout.h.
//===----------------------------------------------------------------------===//
#include "Layout.h"
#include "clang/Format/Format.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>

namespace evenkeel {
using clang::tooling::Replacement;
using clang::tooling::Replacements;

/// One replacement for all edits at one place.
static Replacements asReplacements(const std::string &Path,
                                   const std::vector<TextEdit> &Edits) {
  Replacements Out;
  for (size_t I = 0; I < Edits.size();) {
    const unsigned Offset = Edits[I].Offset;
    unsigned Length = 0;
    std::string Text;
    for (; I < Edits.size() && Edits[I].Offset == Offset; ++I) {
      Text += Edits[I].Text;
      Length = std::max(Length, Edits[I].Length);
    }
    llvm::consumeError(Out.add(Replacement(Path, Offset, Length, Text)));
  }
  return Out;
}

Expected<std::vector<TextEdit>> laidOut(const std::string &Path,
                                        const std::string &Text,
                                        const std::vector<TextEdit> &Edits) {
  namespace format = clang::format;
  llvm::Expected<format::FormatStyle> Style =
      format::getStyle("file", Path, "none", Text);
  if (!Style)
    return Error{"the .clang-format of '" + Path +
                 "' cannot be used: " + llvm::toString(Style.takeError())};
  if (Style->DisableFormat)
    return Edits;
  Replacements Ours = asReplacements(Path, Edits);
  llvm::Expected<std::string> Edited =
      clang::tooling::applyAllReplacements(Text, Ours);
  if (!Edited) {
    llvm::consumeError(Edited.takeError());
    return Edits;
  }
  const Replacements Format =
      format::reformat(*Style, *Edited, Ours.getAffectedRanges(), Path);
  std::vector<TextEdit> Out;
  for (const Replacement &R : Ours.merge(Format))
    Out.push_back(
        {R.getOffset(), R.getLength(), 0, R.getReplacementText().str()});
  std::sort(Out.begin(), Out.end());
  return Out;
}

/// The lines of \p Text with their ends.
static std::vector<llvm::StringRef> linesOf(llvm::StringRef Text) {
  std::vector<llvm::StringRef> Out;
  while (!Text.empty()) {
    const size_t End = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Out.push_back(Text.take_front(End));
    Text = Text.drop_front(End);
  }
  return Out;
}

std::vector<TextEdit> lineEdits(const std::string &Old,
                                const std::string &New) {
  const std::vector<llvm::StringRef> A = linesOf(Old), B = linesOf(New);
  // Longest common subsequence of the lines from I in A and from J in B.
  std::vector<std::vector<unsigned>> Common(
      A.size() + 1, std::vector<unsigned>(B.size() + 1));
  for (size_t I = A.size(); I-- > 0;)
    for (size_t J = B.size(); J-- > 0;)
      Common[I][J] = A[I] == B[J]
                         ? Common[I + 1][J + 1] + 1
                         : std::max(Common[I + 1][J], Common[I][J + 1]);
  std::vector<TextEdit> Out;
  unsigned Offset = 0;
  for (size_t I = 0, J = 0; I < A.size() || J < B.size();) {
    TextEdit E;
    E.Offset = Offset;
    while (!(I < A.size() && J < B.size() && A[I] == B[J]) &&
           (I < A.size() || J < B.size()))
      if (I < A.size() &&
          (J == B.size() || Common[I + 1][J] >= Common[I][J + 1]))
        E.Length += A[I++].size();
      else
        E.Text += B[J++];
    if (E.Length || !E.Text.empty()) {
      Offset += E.Length;
      Out.push_back(std::move(E));
    }
    for (; I < A.size() && J < B.size() && A[I] == B[J]; ++I, ++J)
      Offset += A[I].size();
  }
  return Out;
}

} // namespace evenkeel
