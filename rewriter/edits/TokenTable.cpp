//===- TokenTable.cpp - a file's raw tokens and conditionals --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TokenTable.h. Also knows how raw lexing sees directives, and where an
// #include may go.
//===----------------------------------------------------------------------===//
#include "TokenTable.h"
#include "clang/Lex/Lexer.h"
#include <algorithm>

namespace evenkeel {
using llvm::StringRef;
namespace tok = clang::tok;

TokenTable::TokenTable(StringRef Text, const clang::LangOptions &LangOpts)
    : Storage(Text.str()), Buffer(Storage) {
  Arms.push_back({0, false});
  clang::Lexer Lex(clang::SourceLocation(), LangOpts, Buffer.begin(),
                   Buffer.begin(), Buffer.end());
  unsigned Current = 0;
  bool InDirective = false;
  clang::Token T;
  std::vector<clang::Token> Line; // of the directive being read
  size_t First = 0;
  auto EndDirective = [&] {
    if (!InDirective)
      return;
    InDirective = false;
    StringRef Name = First + 1 < Tokens.size() ? text(First + 1) : "";
    StringRef Argument = First + 2 < Tokens.size() ? text(First + 2) : "";
    if (Name == "if" || Name == "ifdef" || Name == "ifndef") {
      bool OpenMP =
          (Name == "ifdef" && Argument == "_OPENMP") ||
          (Name == "if" && Argument == "defined" &&
           Tokens.size() - First >= 4 && Tokens.size() - First <= 6 &&
           (text(First + 3) == "_OPENMP" ||
            (First + 4 < Tokens.size() && text(First + 4) == "_OPENMP"))) ||
          (Name == "if" && Argument == "_OPENMP" && Tokens.size() == First + 3);
      Arms.push_back({Current, OpenMP, First, 0});
      Current = Arms.size() - 1;
    } else if (Name == "else" || Name == "elif" || Name == "elifdef" ||
               Name == "elifndef") {
      Arms.push_back({Arms[Current].Parent, false, First, Current});
      Current = Arms.size() - 1;
    } else if (Name == "endif") {
      Current = Arms[Current].Parent;
    } else if (Name == "include") {
      StringRef Rest = Buffer.slice(Tokens[First].Offset, Tokens.back().end());
      Includes.push_back(Rest);
      HasHeader |= Rest.contains("<evenkeel/ek.h>") ||
                   Rest.contains("\"evenkeel/ek.h\"") ||
                   Rest.contains(IdsHeaderName);
    }
  };
  for (;;) {
    bool Done = Lex.LexFromRawLexer(T);
    if (T.is(tok::eof))
      break;
    unsigned Offset = Lex.getBufferLocation() - Buffer.begin() - T.getLength();
    if (T.isAtStartOfLine()) {
      EndDirective();
      if (T.is(tok::hash)) {
        InDirective = true;
        First = Tokens.size();
      }
    }
    Tokens.push_back({Offset, T.getLength(), T.getKind(), T.isAtStartOfLine(),
                      InDirective, Current});
    if (Done)
      break;
  }
  EndDirective();
}

bool TokenTable::includes(StringRef Name) const {
  return std::any_of(Includes.begin(), Includes.end(),
                     [&](StringRef Line) { return Line.contains(Name); });
}

size_t TokenTable::at(unsigned Offset) const {
  auto It =
      std::lower_bound(Tokens.begin(), Tokens.end(), Offset,
                       [](const Token &T, unsigned O) { return T.Offset < O; });
  return It != Tokens.end() && It->Offset == Offset ? It - Tokens.begin()
                                                    : None;
}

size_t TokenTable::afterDirective(size_t I) const {
  for (++I; I < Tokens.size(); ++I)
    if (Tokens[I].LineStart)
      return I;
  return None;
}

size_t TokenTable::previousPlain(size_t I) const {
  while (I-- > 0)
    if (!Tokens[I].InDirective)
      return I;
  return None;
}

std::vector<unsigned> TokenTable::armsOf(size_t I) const {
  std::vector<unsigned> Result;
  for (unsigned A = Tokens[I].Arm; A; A = Arms[A].Parent)
    Result.insert(Result.begin(), A);
  return Result;
}

std::vector<unsigned> TokenTable::strippedArms(size_t I) const {
  std::vector<unsigned> Result;
  for (unsigned A = Tokens[I].Arm; A; A = Arms[A].Parent)
    if (!Arms[A].OpenMP)
      Result.push_back(A);
  return Result;
}

bool TokenTable::sameConfigurations(size_t A, size_t B) const {
  return strippedArms(A) == strippedArms(B);
}

unsigned TokenTable::lineStart(unsigned Offset) const {
  size_t NL = Buffer.rfind('\n', Offset);
  return NL == StringRef::npos ? 0 : NL + 1;
}

StringRef TokenTable::indentation(unsigned Offset) const {
  StringRef Line = Buffer.substr(lineStart(Offset));
  return Line.take_while([](char C) { return C == ' ' || C == '\t'; });
}

StringRef TokenTable::newline() const {
  size_t NL = Buffer.find('\n');
  return NL != StringRef::npos && NL > 0 && Buffer[NL - 1] == '\r' ? "\r\n"
                                                                   : "\n";
}

/// The offset of the line after a directive whose last token is \p Last.
/// Comments and continuation lines belong to the directive.
unsigned TokenTable::directiveEnd(size_t Last) const {
  size_t P = Tokens[Last].end();
  while (P < Buffer.size()) {
    if (Buffer.substr(P).starts_with("/*")) {
      size_t E = Buffer.find("*/", P + 2);
      P = E == StringRef::npos ? Buffer.size() : E + 2;
    } else if (Buffer[P] == '\\') {
      size_t NL = Buffer.find('\n', P);
      P = NL == StringRef::npos ? Buffer.size() : NL + 1;
    } else if (Buffer[P] == '\n') {
      return P + 1;
    } else {
      ++P;
    }
  }
  return P;
}

unsigned TokenTable::includeOffset(unsigned Before) const {
  // After the byte order mark, which must stay first.
  unsigned Best = Buffer.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  auto DirectiveName = [&](size_t I) {
    return I + 1 < Tokens.size() && Tokens[I + 1].InDirective ? text(I + 1)
                                                              : StringRef();
  };
  // An include guard: the file begins with #ifndef, and nothing follows its
  // #endif.
  unsigned Guard = 0;
  if (!Tokens.empty() && Tokens[0].InDirective &&
      (DirectiveName(0) == "ifndef" || DirectiveName(0) == "if")) {
    size_t LastHash = Tokens.size();
    while (LastHash-- > 0 &&
           !(Tokens[LastHash].LineStart && Tokens[LastHash].InDirective))
      ;
    size_t Next = afterDirective(0);
    if (Next != None && DirectiveName(Next) == "define" &&
        Tokens.back().InDirective && DirectiveName(LastHash) == "endif" &&
        Next + 2 < Tokens.size() && Tokens[Next].Arm != 0 &&
        Tokens[Next].Arm == Tokens[LastHash].Arm)
      Guard = Tokens[Next].Arm;
  }
  int Braces = 0;
  for (size_t I = 0; I < Tokens.size(); ++I) {
    const Token &T = Tokens[I];
    if (T.Offset >= Before)
      break;
    bool Outside = T.Arm == 0 || T.Arm == Guard;
    if (!T.InDirective) {
      if (Outside)
        break; // the first declaration
      Braces += T.Kind == tok::l_brace;
      Braces -= T.Kind == tok::r_brace;
      continue;
    }
    if (!T.LineStart)
      continue;
    StringRef Name = DirectiveName(I);
    // A branch ends inside a declaration, as in old- and new-style function
    // heads: the body may follow.
    if (size_t Plain = previousPlain(I); Plain != None &&
                                         Tokens[Plain].Kind != tok::semi &&
                                         Tokens[Plain].Kind != tok::l_brace &&
                                         Tokens[Plain].Kind != tok::r_brace)
      break;
    size_t Next = afterDirective(I);
    unsigned End = directiveEnd((Next == None ? Tokens.size() : Next) - 1);
    if (Name == "pragma" && (I + 2 >= Tokens.size() || text(I + 2) != "once")) {
      // Other pragmas may belong to the declaration that follows.
      if (Outside)
        break;
      continue;
    }
    // #endif is recorded inside its branch; here the branch of the text after
    // it counts.
    unsigned ArmAfter = Name == "endif" ? Arms[T.Arm].Parent : T.Arm;
    if (Name == "if" || Name == "ifdef" || Name == "ifndef")
      ArmAfter = Next == None ? 0 : Tokens[Next].Arm;
    if ((ArmAfter == 0 || ArmAfter == Guard) && !(Guard && ArmAfter == 0) &&
        End <= Before) {
      if (Braces != 0)
        break; // extern "C" { opened under a condition
      Best = End;
    } else if (Guard && ArmAfter == 0) {
      break;
    }
  }
  return Best;
}

} // namespace evenkeel
