//===- Metadirectives.h - directives chosen at run time ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: that Clang leaves a metadirective out whose choice depends on values,
// while other compilers choose at run time; which wait its variants end with,
// by their text, and so where a hook belongs all the same.
// Not here: metadirectives that Clang has decided; they are plain directives.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_METADIRECTIVES_H
#define EVENKEEL_REWRITER_METADIRECTIVES_H

#include "Rule.h"

namespace evenkeel {

class Metadirectives : public Rule {
  Unit &U;
  /// Lines that Clang has not decided, by where the statement behind begins.
  struct Line {
    size_t Hash;
    const char *Wait; // of its variants; null: none waits
  };
  std::map<clang::FileID, std::map<unsigned, Line>> Lines;

  std::map<unsigned, Line> &linesOf(clang::FileID File);
  void noteDirective(const clang::OMPExecutableDirective *D);

public:
  explicit Metadirectives(Unit &U) : U(U) {}
  /// \p S, which is no directive, is about to go on top of the statements.
  void statement(const clang::Stmt *S) override;
};

} // namespace evenkeel

#endif
