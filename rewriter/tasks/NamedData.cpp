//===- NamedData.cpp - which data a directive's clauses name --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See NamedData.h.
//===----------------------------------------------------------------------===//
#include "NamedData.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprOpenMP.h"
#include "clang/Lex/Lexer.h"
#include <algorithm>

namespace evenkeel {
using namespace clang;

std::string textOf(const ASTContext &Context, const Expr *E) {
  if (!E)
    return "";
  const SourceManager &SM = Context.getSourceManager();
  const CharSourceRange R = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(E->getSourceRange()), SM,
      Context.getLangOpts());
  return R.isInvalid()
             ? ""
             : Lexer::getSourceText(R, SM, Context.getLangOpts()).str();
}

namespace {

/// `a[1:n][k]`: what is indexed, and its indices, outermost first.
struct Section {
  struct Index {
    const Expr *First = nullptr, *Length = nullptr;
    bool One = false, Strided = false;
    QualType Of; // what is indexed here
  };
  const Expr *Base = nullptr;
  std::vector<Index> Indices;

  explicit Section(const Expr *E) {
    for (;; E = E->IgnoreParenImpCasts()) {
      Index I;
      if (const auto *S = dyn_cast<ArraySectionExpr>(E)) {
        I.First = S->getLowerBound();
        I.Length = S->getLength();
        I.One = S->getColonLocFirst().isInvalid();
        I.Strided = S->isOMPArraySection() && S->getStride() != nullptr;
        E = S->getBase();
      } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
        I.First = A->getIdx();
        I.One = true;
        E = A->getBase();
      } else {
        break;
      }
      // The type of what a section is of is not that of its base expression.
      I.Of = ArraySectionExpr::getBaseOriginalType(E);
      Indices.insert(Indices.begin(), I);
    }
    Base = E;
  }
};

class Reader {
  const ASTContext &Context;
  Places At;
  std::vector<Named> &Out;

  /// \p Text, in parentheses unless it is one word, or a chain of members.
  static std::string closed(const std::string &Text) {
    const bool Plain =
        !Text.empty() &&
        std::all_of(Text.begin(), Text.end(), [](unsigned char C) {
          return std::isalnum(C) || C == '_' || C == '.' || C == ':';
        });
    return Plain ? Text : "(" + Text + ")";
  }

  static std::string indexed(const std::string &Base) {
    const bool Plain =
        !Base.empty() &&
        std::all_of(Base.begin(), Base.end(), [](unsigned char C) {
          return std::isalnum(C) ||
                 std::string("_.:[]->").find(static_cast<char>(C)) !=
                     std::string::npos;
        });
    return Plain ? Base : "(" + Base + ")";
  }

  bool isZero(const Expr *E) const {
    Expr::EvalResult R;
    return !E || (!E->isValueDependent() && E->EvaluateAsInt(R, Context) &&
                  R.Val.getInt() == 0);
  }

  void section(const Section &S, Named &N) const {
    const std::string Base = textOf(Context, S.Base);
    if (Base.empty()) {
      N.Reason = "clause-text";
      return;
    }
    std::string First = indexed(Base), Last = First, Length, Of = First;
    for (const Section::Index &I : S.Indices) {
      const std::string Low = isZero(I.First) ? "0" : textOf(Context, I.First);
      std::string Count = I.One ? "1" : textOf(Context, I.Length);
      if (Low.empty() || I.Strided || (!I.One && I.Length && Count.empty())) {
        N.Reason = I.Strided ? "clause-form" : "clause-text";
        return;
      }
      if (Count.empty()) {
        if (!I.Of->isArrayType()) {
          N.Reason = "clause-form";
          return;
        }
        Count = "sizeof " + Of + " / sizeof " + Of + "[0]" +
                (Low == "0" ? "" : " - " + closed(Low));
      }
      First += "[" + Low + "]";
      Last += "[" + (Low == "0" ? "" : closed(Low) + " + ") + closed(Count) +
              " - 1]";
      Length = Count;
      Of += "[0]";
    }
    if (S.Indices.size() == 1 || wholeRows(S)) {
      const bool Zero = isZero(S.Indices.back().First) && S.Indices.size() == 1;
      N.Address = Zero ? Base : "&" + First;
      N.Length = S.Indices.back().One ? "sizeof " + First
                                      : closed(Length) + " * sizeof " + First;
      return;
    }
    N.Address = "&" + First;
    N.Length = "(char *)(&" + Last + " + 1) - (char *)&" + First;
  }

  /// Only the last index is a section.
  static bool wholeRows(const Section &S) {
    return std::all_of(S.Indices.begin(), S.Indices.end() - 1,
                       [](const Section::Index &I) { return I.One; });
  }

  /// The range of a section of a pointer or an array of one dimension.
  void range(const Section &S, Named &N) {
    const Section::Index &I = S.Indices.back();
    Place P = S.Base->getType()->isPointerType() ? At.pointer(S.Base)
                                                 : At.place(S.Base);
    // Rows that a table points to share a name.
    for (size_t K = 1; K < S.Indices.size(); ++K)
      if (S.Indices[K].Of->isPointerType() && P.Object)
        P.Object->Path += "*", P.Offset = Bytes(0);
      else
        P.Offset = std::nullopt;
    if (!P.Object) {
      N.Reason = "clause-form";
      return;
    }
    if (S.Indices.size() == 1 && P.Offset && P.Offset->constant() == 0.0)
      N.Base = indexed(textOf(Context, S.Base));
    N.Object = *P.Object;
    QualType Element =
        I.Of->isPointerType()
            ? I.Of->getPointeeType()
            : QualType(Context.getAsArrayType(I.Of)
                           ? Context.getAsArrayType(I.Of)->getElementType()
                           : QualType());
    N.Each = At.sizeOf(Element);
    std::optional<Bytes> Low = I.First ? At.number(I.First, true) : Bytes(0);
    std::optional<Bytes> Count = I.One ? Bytes(1) : At.number(I.Length, true);
    if (!I.One && !I.Length && I.Of->isConstantArrayType() && Low)
      Count = Bytes(At.sizeOf(I.Of) / N.Each) - *Low;
    if (!P.Offset || !Low || !Count)
      return;
    N.From = *P.Offset + *Low * Bytes(N.Each);
    N.To = *N.From + *Count * Bytes(N.Each);
  }

  void add(const Expr *E, Named N) {
    E = E->IgnoreParenImpCasts();
    N.At = E->getBeginLoc();
    N.Text = textOf(Context, E);
    const Section S(E);
    if (isa<OMPArrayShapingExpr>(E)) {
      N.Reason = "clause-form";
    } else if (!S.Indices.empty() && !isa<CXXOperatorCallExpr>(S.Base)) {
      N.Element = !E->getType()->isArrayType() &&
                  std::all_of(S.Indices.begin(), S.Indices.end(),
                              [](const auto &I) { return I.One; });
      section(S, N);
      if (!N.Reason)
        range(S, N);
    } else {
      const Place P = At.place(E);
      if (!P.Object || N.Text.empty())
        N.Reason = N.Text.empty() ? "clause-text" : "clause-form";
      else
        N.Object = *P.Object;
      N.Element = !P.Object || !P.Object->Path.empty();
      N.Each = At.sizeOf(E->getType());
      N.From = P.Offset;
      N.To = P.Offset ? std::optional(*P.Offset + Bytes(N.Each)) : std::nullopt;
      N.Address = "&" + indexed(N.Text);
      N.Length = "sizeof " + indexed(N.Text);
    }
    const auto *V = dyn_cast_or_null<VarDecl>(N.Object.Root);
    if (!N.Reason && V && V->hasLocalStorage() &&
        N.Object.Path.find('*') == std::string::npos)
      N.Reason = "stack-data";
    Out.push_back(std::move(N));
  }

public:
  Reader(const ASTContext &Context, std::vector<Named> &Out)
      : Context(Context), At(Context), Out(Out) {}

  void depend(const OMPDependClause *C) {
    const OpenMPDependClauseKind K = C->getDependencyKind();
    Named N;
    N.Writes = N.Writable = K != OMPC_DEPEND_in;
    N.Reason = C->getModifier() ? "iterator"
               : K == OMPC_DEPEND_depobj || K == OMPC_DEPEND_outallmemory ||
                       K == OMPC_DEPEND_inoutallmemory
                   ? "clause-form"
                   : nullptr;
    N.At = C->getBeginLoc();
    if (N.Reason) {
      Out.push_back(N);
      return;
    }
    for (const Stmt *Item : C->children())
      if (const auto *E = dyn_cast_or_null<Expr>(Item))
        add(E, N);
  }

  void map(const OMPMapClause *C) {
    const OpenMPMapClauseKind K = C->getMapType();
    if (C->isImplicit() || C->getBeginLoc().isInvalid() ||
        (K != OMPC_MAP_to && K != OMPC_MAP_from && K != OMPC_MAP_tofrom))
      return;
    for (const Stmt *Item : C->children())
      if (const auto *E = dyn_cast_or_null<Expr>(Item)) {
        const QualType T = E->IgnoreParenImpCasts()->getType();
        if (T->isScalarType() && !isa<ArraySectionExpr>(E->IgnoreParens()))
          continue; // goes along with the call
        Named N;
        N.Reads = K != OMPC_MAP_from;
        N.Writes = N.Writable = K != OMPC_MAP_to;
        add(E, N);
      }
  }
};

} // namespace

std::vector<Named> namedBy(const ASTContext &Context,
                           const OMPExecutableDirective *D) {
  std::vector<Named> Out;
  Reader R(Context, Out);
  if (isOpenMPTargetExecutionDirective(D->getDirectiveKind())) {
    for (const auto *C : D->getClausesOfKind<OMPMapClause>())
      R.map(C);
  } else {
    for (const auto *C : D->getClausesOfKind<OMPDependClause>())
      R.depend(C);
  }
  return Out;
}

} // namespace evenkeel
