//===- Annotations.cpp - annotations in the source text -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Annotations.h. The text that an annotation applies to ends like a
// statement or definition: at the first `;` or closing brace outside all
// brackets after which the statement cannot continue.
//===----------------------------------------------------------------------===//
#include "Annotations.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <optional>

namespace evenkeel {
using llvm::StringRef;
namespace tok = clang::tok;

namespace {

class Reader {
  const TokenTable &T;
  std::vector<Annotation> Found;

public:
  explicit Reader(const TokenTable &T) : T(T) {}

  std::vector<Annotation> read() {
    for (size_t I = 0; I < T.size(); ++I) {
      if (T[I].LineStart && T[I].Kind == tok::hash && T[I].InDirective)
        directive(I);
      else if (T[I].InDirective)
        continue;
      else if (is(I, tok::l_square) && is(I + 1, tok::l_square))
        attributes(I);
      else if (word(I) == "_Pragma" && is(I + 1, tok::l_paren))
        operatorForm(I);
    }
    return std::move(Found);
  }

private:
  bool is(size_t I, tok::TokenKind K) const {
    return I < T.size() && T[I].Kind == K;
  }
  StringRef word(size_t I) const { return I < T.size() ? T.text(I) : ""; }

  //===--- The three spellings --------------------------------------------===//

  void directive(size_t Hash) {
    size_t Next = T.afterDirective(Hash);
    size_t End = Next == TokenTable::None ? T.size() : Next;
    if (word(Hash + 1) == "define") {
      for (size_t I = Hash + 2; I + 2 < End; ++I)
        if (word(I) == "_Pragma" && operatorText(I))
          add(I, "evenkeel", "").Problem = "an annotation in a macro has no "
                                           "effect; write it where the macro "
                                           "is used";
      return;
    }
    if (word(Hash + 1) != "pragma" || word(Hash + 2) != "evenkeel")
      return;
    size_t First = Found.size();
    size_t I = Hash + 3;
    while (I < End) {
      if (is(I, tok::comma)) {
        ++I;
        continue;
      }
      I = one(Hash, I, End);
    }
    if (Found.size() == First)
      add(Hash, "", "").Problem = unknown("");
    cover(First, End);
  }

  /// The text of `_Pragma("evenkeel ...")` at token \p I, if it is one.
  std::optional<StringRef> operatorText(size_t I) const {
    StringRef S = word(I + 2);
    if (!S.consume_front("\"") || !S.consume_back("\""))
      return std::nullopt;
    S = S.trim();
    if (!S.consume_front("evenkeel"))
      return std::nullopt;
    return S;
  }

  void operatorForm(size_t I) {
    std::optional<StringRef> S = operatorText(I);
    if (!S)
      return;
    // The words are in the string literal, in which quotes are escaped.
    size_t First = Found.size();
    std::string Text = S->str();
    Text.erase(std::remove(Text.begin(), Text.end(), '\\'), Text.end());
    StringRef Rest = StringRef(Text).trim();
    do {
      Rest = Rest.ltrim(", \t");
      StringRef Name = Rest.take_while(
          [](char C) { return std::isalnum(static_cast<unsigned char>(C)); });
      Rest = Rest.drop_front(Name.size()).ltrim();
      StringRef Value;
      if (Rest.starts_with("(")) {
        size_t Close = closing(Rest);
        Value = Rest.slice(1, Close);
        Rest = Close == StringRef::npos ? "" : Rest.substr(Close + 1);
      } else if (Name.empty()) {
        Rest = "";
      }
      add(I, Name, Value);
    } while (!Rest.trim().empty());
    cover(First, I + 4);
  }

  /// The position of the parenthesis that closes the first one.
  static size_t closing(StringRef Text) {
    int Depth = 0;
    for (size_t I = 0; I < Text.size(); ++I) {
      Depth += Text[I] == '(';
      Depth -= Text[I] == ')';
      if (Depth == 0)
        return I;
    }
    return StringRef::npos;
  }

  void attributes(size_t Open) {
    size_t I = Open + 2, First = Found.size();
    int Depth = 0;
    bool Using = word(I) == "using" && word(I + 1) == "evenkeel";
    if (Using)
      I += 3;
    size_t Close = I;
    for (; Close + 1 < T.size(); ++Close) {
      tok::TokenKind K = T[Close].Kind;
      Depth += K == tok::l_paren || K == tok::l_square;
      if (K == tok::r_square && Depth == 0)
        break;
      Depth -= K == tok::r_paren || K == tok::r_square;
    }
    if (!is(Close, tok::r_square) || !is(Close + 1, tok::r_square))
      return;
    bool Start = true;
    while (I < Close) {
      if (is(I, tok::comma)) {
        Start = true;
        ++I;
        continue;
      }
      size_t Word = I;
      if (Start && word(I) == "evenkeel" && is(I + 1, tok::coloncolon))
        Word = I + 2;
      else if (Start && word(I) == "evenkeel" && is(I + 1, tok::colon) &&
               is(I + 2, tok::colon)) // C before C23
        Word = I + 3;
      else if (!Start || !Using) {
        Start = false; // an attribute of another vendor
        if (is(I, tok::l_paren))
          I = closing(I, Close);
        ++I;
        continue;
      }
      Start = false;
      I = one(Open, Word, Close);
    }
    if (Found.size() != First)
      cover(First, Close + 2);
  }

  size_t closing(size_t Open, size_t End) const {
    int Depth = 0;
    for (size_t I = Open; I < End; ++I) {
      Depth += is(I, tok::l_paren);
      Depth -= is(I, tok::r_paren);
      if (Depth == 0)
        return I;
    }
    return End;
  }

  /// Reads `word` or `word(value)` at \p I; returns the position after it.
  size_t one(size_t At, size_t I, size_t End) {
    StringRef Name = word(I);
    if (!is(I + 1, tok::l_paren) || I + 1 >= End) {
      add(At, Name, "");
      return I + 1;
    }
    size_t Close = closing(I + 1, End);
    StringRef Value = Close < T.size() && Close > I + 2
                          ? T.buffer().slice(T[I + 2].Offset, T[Close].Offset)
                          : "";
    add(At, Name, Value);
    return Close + 1;
  }

  //===--- Words and values -----------------------------------------------===//

  static std::string unknown(StringRef Name) {
    return "unknown annotation '" + Name.str() +
           "'; known are exclude, phase, pin, relaxed, size and task";
  }

  Annotation &add(size_t At, StringRef Name, StringRef Value) {
    Annotation A;
    A.At = T[At].Offset;
    A.Spelled = Name.str();
    Value = Value.trim();
    if (Value.size() >= 2 && Value.front() == '"' && Value.back() == '"')
      Value = Value.drop_front().drop_back().trim();
    if (Name == "exclude")
      A.What = Annotation::Word::Exclude;
    else if (Name == "pin")
      pin(A, Value);
    else if (Name == "size")
      size(A, Value);
    else if (Name == "phase" || Name == "task")
      name(A, Value);
    else if (Name == "relaxed")
      relaxed(A, Value);
    else
      A.Problem = unknown(Name);
    Found.push_back(std::move(A));
    return Found.back();
  }

  static void pin(Annotation &A, StringRef Value) {
    A.What = Annotation::Word::Pin;
    A.Percent = llvm::StringSwitch<unsigned>(Value)
                    .Case("fast", 100)
                    .Case("slow", 0)
                    .Default(101);
    StringRef Number = Value;
    if (A.Percent > 100 &&
        (!Number.consume_back("%") || Number.getAsInteger(10, A.Percent) ||
         A.Percent > 100))
      A.Problem = "pin needs fast, slow or a share such as 40%, not '" +
                  Value.str() + "'";
  }

  static void size(Annotation &A, StringRef Value) {
    A.What = Annotation::Word::Size;
    StringRef Digits =
        Value.take_while([](char C) { return C >= '0' && C <= '9'; });
    unsigned Shift =
        llvm::StringSwitch<unsigned>(Value.substr(Digits.size()).trim())
            .Cases("", "B", 0)
            .Case("KiB", 10)
            .Case("MiB", 20)
            .Case("GiB", 30)
            .Case("TiB", 40)
            .Default(64);
    uint64_t Number = 0;
    if (Shift == 64 || Digits.getAsInteger(10, Number) || Number == 0 ||
        Number > (UINT64_MAX >> Shift))
      A.Problem = "size needs a number of bytes such as 4GiB, not '" +
                  Value.str() + "'";
    else
      A.Bytes = Number << Shift;
  }

  /// bound=N or bound=N, last=CONDITION
  static void relaxed(Annotation &A, StringRef Value) {
    A.What = Annotation::Word::Relaxed;
    auto [Bound, Last] = Value.split(',');
    const bool HasLast = Bound.size() < Value.size();
    if (!valueOf("bound", Bound) || Bound.getAsInteger(10, A.Sum.Bound) ||
        A.Sum.Bound > 1000000 ||
        (HasLast && (!valueOf("last", Last) || Last.empty())))
      A.Problem = "relaxed needs a bound, as in relaxed(bound=3) or "
                  "relaxed(bound=3, last=i + 1 == n), not '" +
                  Value.str() + "'";
    // The pragma may go on on the next line.
    for (StringRef Line, Rest = Last; !Rest.empty();) {
      std::tie(Line, Rest) = Rest.split('\n');
      if (Line.consume_back("\r"), !Rest.empty())
        Line.consume_back("\\");
      A.Sum.Last += (A.Sum.Last.empty() ? "" : " ") + Line.trim().str();
    }
  }

  /// Reduces `Name = VALUE` to VALUE. False: it is something else.
  static bool valueOf(StringRef Name, StringRef &Text) {
    Text = Text.trim();
    if (!Text.consume_front(Name))
      return false;
    Text = Text.ltrim();
    if (!Text.consume_front("=") || Text.starts_with("="))
      return false;
    Text = Text.trim();
    return true;
  }

  static void name(Annotation &A, StringRef Value) {
    A.What =
        A.Spelled == "task" ? Annotation::Word::Task : Annotation::Word::Phase;
    A.Name = Value.str();
    // The name becomes a string literal, and a word in tables.
    bool Plain = std::all_of(Value.begin(), Value.end(), [](char C) {
      return C >= ' ' && C < 127 && C != '"' && C != '\\' && C != '?';
    });
    if (Value.empty() || Value.size() > 63 || !Plain)
      A.Problem = A.Spelled + " needs a name of at most 63 plain characters";
  }

  //===--- Annotated text -------------------------------------------------===//

  /// Applies the annotations from \p First on to the statement that continues
  /// at token \p Next.
  void cover(size_t First, size_t Next) {
    while (Next < T.size() && T[Next].InDirective)
      ++Next;
    if (First >= Found.size())
      return;
    unsigned Begin = Found[First].At, End = Begin;
    // An attribute may follow the name that it applies to.
    if (size_t I = T.at(Begin); I != TokenTable::None && !T[I].InDirective)
      Begin = startOf(I);
    if (Next < T.size())
      End = endFrom(Next);
    for (size_t A = First; A < Found.size(); ++A) {
      Found[A].Begin = Begin;
      Found[A].End = End;
    }
  }

  unsigned startOf(size_t I) const {
    int Depth = 0;
    unsigned Begin = T[I].Offset;
    while (I-- > 0) {
      if (T[I].InDirective)
        continue;
      tok::TokenKind K = T[I].Kind;
      Depth += K == tok::r_paren || K == tok::r_square;
      Depth -= K == tok::l_paren || K == tok::l_square;
      if (Depth < 0 || (Depth == 0 && (K == tok::semi || K == tok::l_brace ||
                                       K == tok::r_brace)))
        break;
      Begin = T[I].Offset;
    }
    return Begin;
  }

  size_t plainAfter(size_t I) const {
    for (++I; I < T.size() && T[I].InDirective; ++I)
      ;
    return I;
  }

  /// Whether the statement continues after its closing brace at \p I. After
  /// `=`, the brace may end a lambda or an initialiser list; after `:`, a
  /// member initialiser.
  bool continuesAfter(size_t I, bool Do, bool Value, bool Colon) const {
    size_t N = plainAfter(I);
    if (N >= T.size())
      return false;
    switch (T[N].Kind) {
    case tok::semi:
    case tok::comma:
      return true;
    case tok::l_brace:
      return Colon;
    case tok::l_paren:
    case tok::l_square:
    case tok::period:
    case tok::arrow:
      return Value;
    default:
      return word(N) == "else" || word(N) == "catch" ||
             (Do && word(N) == "while");
    }
  }

  unsigned endFrom(size_t First) const {
    int Depth = 0;
    size_t Last = First;
    bool Do = word(First) == "do", Value = false, Colon = false;
    for (size_t I = First; I < T.size(); ++I) {
      if (T[I].InDirective)
        continue;
      tok::TokenKind K = T[I].Kind;
      Last = I;
      if (K == tok::l_paren || K == tok::l_square || K == tok::l_brace) {
        ++Depth;
      } else if (K == tok::r_paren || K == tok::r_square || K == tok::r_brace) {
        if (--Depth < 0)
          break; // the end of the enclosing block
        if (Depth == 0 && K == tok::r_brace &&
            !continuesAfter(I, Do, Value, Colon))
          break;
      } else if (K == tok::semi && Depth == 0) {
        // if (x) a; else b;
        size_t N = plainAfter(I);
        if (word(N) == "else" || (Do && word(N) == "while"))
          continue;
        break;
      } else if (Depth == 0) {
        Value |= K == tok::equal || word(I) == "return";
        Colon |= K == tok::colon;
      }
    }
    return T[Last].end();
  }
};

} // namespace

std::vector<Annotation> findAnnotations(const TokenTable &Tokens) {
  if (!Tokens.buffer().contains("evenkeel"))
    return {};
  return Reader(Tokens).read();
}

} // namespace evenkeel
