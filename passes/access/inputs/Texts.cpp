//===- Texts.cpp - texts that come from outside ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: elements of argv, getopt's argument, environment variables, files, and
// what copies of texts (strings, buffers, streams) hold.
// Makes: the inputs that a pointer to characters may point to.
// Not here: which option an element of argv belongs to (Options.cpp).
//===----------------------------------------------------------------------===//
#include "access/inputs/Conversions.h"
#include "access/inputs/InputFinder.h"
#include "unit/Calls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace evenkeel {

static constexpr size_t MostTexts = 8;

static void addText(SmallVectorImpl<InputFinder::Text> &Out,
                    InputFinder::Text New) {
  if (!is_contained(Out, New) && Out.size() < MostTexts)
    Out.push_back(std::move(New));
}

static bool isGlobal(const Value *P, StringRef Name) {
  auto *G = dyn_cast<GlobalVariable>(P);
  return G && G->isDeclaration() && G->getName() == Name;
}

/// The element of argv that \p P points to or into; nullopt: not known.
std::optional<InputFinder::Slot> InputFinder::slotOf(Value *P,
                                                     const Frame *In) {
  if (!Left || !Open.insert({P, In}).second)
    return std::nullopt;
  --Left;
  auto Close = make_scope_exit([&] { Open.erase({P, In}); });
  if (auto *A = dyn_cast<Argument>(P); A && A->getParent()->getName() == "main")
    return A->getArgNo() == 1 ? std::optional(Slot{0, {}}) : std::nullopt;
  if (auto *G = dyn_cast<GEPOperator>(P)) {
    std::optional<Slot> Base = slotOf(G->getPointerOperand(), In);
    if (!Base)
      return std::nullopt;
    const DataLayout &DL = M.getDataLayout();
    const unsigned Bits = DL.getIndexTypeSizeInBits(G->getType());
    APInt Fixed(Bits, 0);
    MapVector<Value *, APInt> Variable;
    if (!G->collectOffset(DL, Bits, Variable, Fixed))
      return Slot{};
    const int64_t By = Fixed.getSExtValue() / 8;
    if (Variable.empty())
      return Slot{Base->Index ? std::optional(*Base->Index + By) : std::nullopt,
                  Base->AfterOptions ? std::optional(*Base->AfterOptions + By)
                                     : std::nullopt};
    // argv[optind + 1]
    int64_t More = By;
    Value *Index = Variable.front().first;
    for (unsigned Step = 0; Step < 4; ++Step) {
      if (auto *Cast = dyn_cast<CastInst>(Index))
        Index = Cast->getOperand(0);
      else if (auto *B = dyn_cast<BinaryOperator>(Index);
               B && B->getOpcode() == Instruction::Add &&
               isa<ConstantInt>(B->getOperand(1))) {
        More += cast<ConstantInt>(B->getOperand(1))->getSExtValue();
        Index = B->getOperand(0);
      }
    }
    auto *L = dyn_cast<LoadInst>(Index);
    if (L && Variable.size() == 1 && Base->Index &&
        isGlobal(L->getPointerOperand(), "optind"))
      return Slot{{}, *Base->Index + More};
    return Slot{};
  }
  const Sources From = sourcesOf(P, In);
  std::optional<Slot> Found;
  for (const Source &S : From.All) {
    std::optional<Slot> One = S.V && !S.Into ? slotOf(S.V, S.In) : std::nullopt;
    if (!One)
      continue;
    if (Found && (Found->Index != One->Index ||
                  Found->AfterOptions != One->AfterOptions))
      return Slot{};
    Found = One;
  }
  // argv++ in a loop goes around.
  if (Found && From.All.size() > 1 && isa<PHINode>(P))
    return Slot{};
  return Found;
}

bool InputFinder::isElement(Value *P) {
  for (unsigned Step = 0; Step < 4; ++Step) {
    if (auto *L = dyn_cast<LoadInst>(P)) {
      if (slotOf(L->getPointerOperand(), nullptr))
        return true;
      break;
    }
    auto *G = dyn_cast<GEPOperator>(P);
    if (!G || !G->hasAllConstantIndices())
      break;
    P = G->getPointerOperand();
  }
  const Sources From = sourcesOf(P, nullptr);
  return any_of(From.All, [&](const Source &S) {
    auto *L = S.V && !S.Into ? dyn_cast<LoadInst>(S.V) : nullptr;
    return L && L != P && slotOf(L->getPointerOperand(), nullptr);
  });
}

/// The option to which the trail leads.
bool InputFinder::addOption(const Trail &T, int64_t Skip, Texts &Out) {
  Tests Found;
  for (const Step &S : T) {
    Tests Here;
    constexpr unsigned Deepest = 24;
    if (S.To ? testsOnEdge(S.From, S.To, {}, Deepest, Here)
             : testsAt(S.From, {}, Deepest, Here)) {
      Found = std::move(Here);
      break;
    }
  }
  if (Found.Names.empty())
    return false;
  Text New;
  New.Row.Kind = InputRow::Option;
  New.Row.Names.assign(Found.Names.begin(), Found.Names.end());
  if (Found.Parser) {
    New.Row.Form = InputRow::GetOpt;
    describeParser(*Found.Parser, New.Row);
  } else {
    New.Row.Form = Skip ? InputRow::Joined : InputRow::Next;
  }
  addText(Out, std::move(New));
  return true;
}

/// argv[k], or an element for which the trail tells the option.
bool InputFinder::addElement(LoadInst &L, const Frame *In, const Trail &T,
                             int64_t Skip, Texts &Out) {
  std::optional<Slot> S = slotOf(L.getPointerOperand(), In);
  if (!S)
    return false;
  if (!S->Index && !S->AfterOptions)
    return addOption(T, Skip, Out);
  Text New;
  New.Row.Kind = S->Index ? InputRow::Argument : InputRow::Operand;
  New.Row.Index = S->Index ? *S->Index : *S->AfterOptions + 1;
  New.Row.Skip = Skip;
  if (!S->Index)
    for (Function &F : M)
      for (User *U : F.users())
        if (auto *CB = dyn_cast<CallBase>(U); CB && isOptionParser(*CB))
          describeParser(*CB, New.Row);
  addText(Out, std::move(New));
  return true;
}

bool InputFinder::addTextsOfCall(CallBase &CB, const Frame *In, const Trail &T,
                                 int64_t Skip, Texts &Out) {
  const StringRef Name = plainName(CB);
  if (Name == "getenv" || Name == "secure_getenv") {
    std::optional<std::string> Variable = literalAt(CB.getArgOperand(0));
    if (!Variable)
      return false;
    Text New;
    New.Row.Kind = InputRow::Environment;
    New.Row.Name = *Variable;
    New.Row.Skip = Skip;
    addText(Out, std::move(New));
    return true;
  }
  if (Name == "strdup" || Name == "strndup" || Name == "__strdup")
    return addTexts(CB.getArgOperand(0), In, T, Skip, Out);
  // What follows '='.
  if (auto *C = Name == "strchr" ? dyn_cast<ConstantInt>(CB.getArgOperand(1))
                                 : nullptr;
      C && C->equalsInt('='))
    return addTexts(CB.getArgOperand(0), In, T, -1, Out);
  return addContents(&CB, Out);
}

bool InputFinder::addTexts(Value *P, const Frame *In, const Trail &T,
                           int64_t Skip, Texts &Out) {
  if (!Left || isa<ConstantPointerNull>(P))
    return isa<ConstantPointerNull>(P);
  --Left;
  if (std::optional<std::string> Words = literalAt(P)) {
    Text New;
    New.Literal = true;
    New.Words = *Words;
    addText(Out, std::move(New));
    return true;
  }
  if (auto *G = dyn_cast<GEPOperator>(P)) {
    APInt By(64, 0);
    Texts Whole;
    const bool Fixed = G->accumulateConstantOffset(M.getDataLayout(), By);
    const int64_t Next = Skip < 0 || !Fixed ? -1 : Skip + By.getSExtValue();
    if (addTexts(G->getPointerOperand(), In, T, Next, Whole)) {
      for (Text &X : Whole)
        addText(Out, std::move(X));
      return true;
    }
    return addContents(P, Out);
  }
  if (!Open.insert({P, In}).second)
    return true;
  auto Close = make_scope_exit([&] { Open.erase({P, In}); });
  if (auto *L = dyn_cast<LoadInst>(P)) {
    if (isGlobal(L->getPointerOperand(), "optarg"))
      return addOption(T, 0, Out);
    if (addElement(*L, In, T, Skip, Out))
      return true;
  }
  auto *CB = dyn_cast<CallBase>(P);
  Function *F = CB ? calleeOf(*CB) : nullptr;
  if (F && F->isDeclaration())
    return addTextsOfCall(*CB, In, T, Skip, Out);
  const Sources From = sourcesOf(P, In);
  bool Known = From.Moved && !From.All.empty();
  for (const Source &S : From.All) {
    if (!S.V || S.Into || isa<UndefValue>(S.V)) {
      Known = false;
      break;
    }
    Trail Here;
    if (!From.Anew)
      Here = T;
    Here.append(S.At.begin(), S.At.end());
    Known &= addTexts(S.V, S.In, Here, Skip, Out);
  }
  return Known || addContents(P, Out);
}

/// What is copied to the memory at \p P.
bool InputFinder::addContents(Value *P, Texts &Out) {
  bool Any = false;
  for (const Location &At : Obj.pointsTo(P)) {
    if (Obj.isOutside(At.first) && !Obj.objects()[At.first].V)
      continue;
    for (Instruction *I : From.writersOf(At.first)) {
      Trail Here;
      Here.push_back({I->getParent()});
      Value *Of = nullptr;
      if (auto *Copy = dyn_cast<MemTransferInst>(I)) {
        Of = Copy->getSource();
      } else if (auto *S = dyn_cast<StoreInst>(I)) { // a single character
        auto *L = dyn_cast<LoadInst>(S->getValueOperand());
        if (L && L->getType()->isIntegerTy(8))
          Of = L->getPointerOperand();
      } else if (auto *CB = dyn_cast<CallBase>(I)) {
        const StringRef Name = plainName(*CB);
        if (Name == "fgets")
          return addFile(CB->getArgOperand(2), nullptr, Out);
        if (Name == "strcpy" || Name == "strncpy" || Name == "strlcpy" ||
            Name == "stpcpy")
          Of = CB->getArgOperand(1);
        else if (Name.contains("basic_string") && !Name.contains("stream"))
          for (Value *Operand : drop_begin(CB->args()))
            if (Operand->getType()->isPointerTy())
              Of = Operand;
      }
      Texts Copied;
      if (Of && (addTexts(Of, nullptr, Here, 0, Copied) ||
                 addTextsOfString(Of, Copied))) {
        Any |= !Copied.empty();
        for (Text &X : Copied)
          addText(Out, std::move(X));
      }
    }
  }
  return Any;
}

/// The characters of the std::string \p Object.
bool InputFinder::addTextsOfString(Value *Object, Texts &Out) {
  bool Any = false;
  for (const Location &At : Obj.pointsTo(Object)) {
    if (Obj.isOutside(At.first) || !isExact(At.second) ||
        !Open.insert({Object, nullptr}).second)
      continue;
    auto Close = make_scope_exit([&] { Open.erase({Object, nullptr}); });
    Sources From;
    addStored(At, PointerType::getUnqual(M.getContext()), From);
    for (const Source &S : From.All)
      if (S.V && !S.Into && S.V->getType()->isPointerTy())
        Any |= addContents(S.V, Out);
  }
  return Any && !Out.empty();
}

/// The text, or the name of a file, that \p CB gives to a stream or to the
/// string in it; null: it gives none.
static Value *textGivenTo(const CallBase &CB, StringRef Name) {
  if (CB.arg_size() < 2)
    return nullptr;
  if (Name.contains("stream")) {
    const bool Makes = Name.contains("C1E") || Name.contains("C2E") ||
                       Name.contains("3strE") || Name.contains("4openE");
    Value *Operand = CB.getArgOperand(1);
    return Makes && Operand->getType()->isPointerTy() ? Operand : nullptr;
  }
  // ss.str(text), as far as it is in a header.
  if (Name.contains("basic_string"))
    for (unsigned K = CB.arg_size(); K-- > 1;)
      if (CB.getArgOperand(K)->getType()->isPointerTy())
        return CB.getArgOperand(K);
  return nullptr;
}

/// The text that the stringstream holds, or the file of the file stream,
/// \p Object.
bool InputFinder::addTextsOfStream(Value *Object, Texts &Out) {
  for (const Location &At : Obj.pointsTo(Object)) {
    if (Obj.isOutside(At.first))
      return false;
    for (Instruction *I : From.writersOf(At.first)) {
      auto *CB = dyn_cast<CallBase>(I);
      const StringRef Name = CB ? plainName(*CB) : "";
      Value *Operand = CB ? textGivenTo(*CB, Name) : nullptr;
      if (!Operand ||
          !is_contained(make_first_range(Obj.pointsTo(CB->getArgOperand(0))),
                        At.first))
        continue;
      Trail Here;
      Here.push_back({CB->getParent()});
      Texts Of;
      if (Name.contains("fstream")) {
        if (addTexts(Operand, nullptr, Here, 0, Of) ||
            addTextsOfString(Operand, Of))
          addFilesNamed(Of, CB, Out);
      } else if (addTextsOfString(Operand, Of) ||
                 addTexts(Operand, nullptr, Here, 0, Of)) {
        for (Text &X : Of)
          addText(Out, std::move(X));
      }
    }
  }
  return !Out.empty();
}

/// Files with the names \p Names.
void InputFinder::addFilesNamed(const Texts &Names, const Instruction *At,
                                Texts &Out) {
  for (const Text &Name : Names) {
    Text New;
    New.Row.Kind = InputRow::File;
    if (Name.Literal) {
      New.Row.Name = Name.Words;
    } else {
      InputRow R = Name.Row;
      R.Convert = "text";
      New.Row.Of = {Table.add(R, At)};
    }
    addText(Out, std::move(New));
  }
}

/// The file that the FILE \p P reads.
bool InputFinder::addFile(Value *P, const Frame *In, Texts &Out) {
  if (!Left || !Open.insert({P, In}).second)
    return true;
  --Left;
  auto Close = make_scope_exit([&] { Open.erase({P, In}); });
  auto *CB = dyn_cast<CallBase>(P);
  const StringRef Name = CB ? plainName(*CB) : "";
  if (Name == "fopen" || Name == "fopen64") {
    Trail Here;
    Here.push_back({CB->getParent()});
    Texts Names;
    Value *Of = CB->getArgOperand(0);
    if (!addTexts(Of, In, Here, 0, Names))
      return false;
    addFilesNamed(Names, CB, Out);
    return true;
  }
  if (isa<ConstantPointerNull>(P))
    return true;
  const Sources From = sourcesOf(P, In);
  bool Known = From.Moved && !From.All.empty();
  for (const Source &S : From.All)
    Known &= S.V && !S.Into && addFile(S.V, S.In, Out);
  return Known;
}

} // namespace evenkeel
