//===- Metadirectives.h - directives chosen at run time ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: Clang omits a metadirective from the AST if its choice depends on
// run-time values, while other compilers choose at run time. The text of its
// variants says which wait they end with, and so where a hook is needed.
// Not here: metadirectives that Clang resolves; they are plain directives.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_METADIRECTIVES_H
#define EVENKEEL_REWRITER_METADIRECTIVES_H

#include "Rule.h"
#include "format/SyncKind.h"

namespace evenkeel {

class Metadirectives : public Rule {
  Unit &U;
  /// Lines that Clang has not resolved, by the offset of the following
  /// statement.
  struct Line {
    size_t Hash;
    std::optional<SyncKind> Wait; // of its variants
  };
  std::map<clang::FileID, std::map<unsigned, Line>> Lines;

  std::map<unsigned, Line> &linesOf(clang::FileID File);
  void noteDirective(const clang::OMPExecutableDirective *D);

public:
  explicit Metadirectives(Unit &U) : U(U) {}
  /// \p S, which is not a directive, is about to be pushed on the stack.
  void statement(const clang::Stmt *S) override;
};

} // namespace evenkeel

#endif
