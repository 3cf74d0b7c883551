//===- Libraries.cpp - effects of library functions on memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Libraries.h; the notation is explained at the head of the table.
//===----------------------------------------------------------------------===//
#include "objects/Libraries.h"
#include "unit/Calls.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include <deque>

using namespace llvm;

namespace evenkeel {

namespace {

/// Whether \p Name matches \p Pattern, in which '*' stands for any characters.
bool matches(StringRef Pattern, StringRef Name) {
  auto [Head, Rest] = Pattern.split('*');
  if (Head.size() == Pattern.size())
    return Name == Pattern;
  if (!Name.consume_front(Head))
    return false;
  while (true) {
    auto [Part, Next] = Rest.split('*');
    if (Part.size() == Rest.size()) // the last part
      return Name.ends_with(Part);
    size_t At = Name.find(Part);
    if (At == StringRef::npos)
      return false;
    Name = Name.drop_front(At + Part.size());
    Rest = Next;
  }
}

class Table {
  std::deque<LibraryCall> Calls;
  StringMap<const LibraryCall *> ByName;
  std::vector<std::pair<std::string, const LibraryCall *>> Patterns;
  StringMap<const LibraryCall *> Found; // by pattern; null: no match

  bool number(StringRef &S, unsigned &N) {
    return !S.consumeInteger(10, N) && N >= 1;
  }
  bool argument(StringRef &S, unsigned &N) {
    bool Well = number(S, N) && N <= 64;
    --N;
    return Well;
  }

  bool factor(StringRef S, LibraryAccess &A) {
    LibraryFactor F;
    if (S != "?") {
      F.Kind = S.consume_front("#")   ? LibraryFactor::Value
               : S.consume_front("@") ? LibraryFactor::Pointee
               : S.consume_front("&") ? LibraryFactor::Extent
                                      : LibraryFactor::Constant;
      if (S.getAsInteger(10, F.N) || F.N < 1)
        return false;
      F.N -= F.Kind != LibraryFactor::Constant;
    }
    A.Count.push_back(F);
    return true;
  }

  /// Parses "2=#1*8:4", after the letter.
  bool access(StringRef Word, LibraryAccess A, LibraryCall &C) {
    if (!argument(Word, A.Argument))
      return false;
    if (Word.consume_front("=")) {
      auto [Count, Bytes] = Word.split(':');
      if (!Bytes.empty() && Bytes.getAsInteger(10, A.ElementBytes))
        return false;
      SmallVector<StringRef, 4> Factors;
      Count.split(Factors, '*');
      for (StringRef F : Factors)
        if (!factor(F, A))
          return false;
    } else if (!Word.empty()) {
      return false;
    }
    C.Accesses.push_back(A);
    return true;
  }

  bool list(StringRef Text, function_ref<bool(StringRef)> Each) {
    if (!Text.consume_front("(") || !Text.consume_back(")"))
      return false;
    SmallVector<StringRef, 4> Items;
    Text.split(Items, ',');
    return all_of(Items, Each);
  }

  bool pointer(StringRef Word, LibraryCall &C) {
    LibraryCall::Pointer P;
    bool Returned = Word.consume_front(">");
    if (Returned && Word.consume_front("*"))
      P.Kind = LibraryCall::Pointer::Held;
    else if (Word.consume_front("new"))
      P.Kind = LibraryCall::Pointer::New;
    else if (Word.consume_front("out"))
      P.Kind = LibraryCall::Pointer::Outside;
    else
      P.Kind = LibraryCall::Pointer::Argument;
    if (P.Kind == LibraryCall::Pointer::Argument ||
        P.Kind == LibraryCall::Pointer::Held)
      if (!argument(Word, P.N))
        return false;
    if (Word.consume_front("+"))
      P.Kind = LibraryCall::Pointer::Into;
    if (Word.consume_front("@")) {
      unsigned Where = 0;
      if (Returned || !argument(Word, Where))
        return false;
      P.Where = int(Where);
      if (Word.consume_front("+") && Word.consumeInteger(10, P.Offset))
        return false;
    } else if (!Returned) {
      return false;
    }
    C.Pointers.push_back(P);
    return Word.empty();
  }

  bool effect(StringRef Word, LibraryCall &C) {
    if (Word == "-")
      return true;
    if (Word == "~")
      return C.Estimate = true;
    if (Word.starts_with(">") || Word.starts_with("new@") ||
        Word.starts_with("out@") || isDigit(Word[0]))
      return pointer(Word, C);
    if (Word.consume_front("call")) {
      LibraryCall::Callback B;
      if (!argument(Word, B.Argument))
        return false;
      C.Callbacks.push_back(B);
      return list(Word, [&](StringRef Item) {
        unsigned N = 0;
        bool Well = argument(Item, N) && Item.empty();
        C.Callbacks.back().Data.push_back(N);
        return Well;
      });
    }
    C.Relinks |= Word.starts_with("relinks");
    if (Word.consume_front("links") || Word.consume_front("relinks"))
      return list(Word, [&](StringRef Item) {
        int64_t N = 0;
        bool Well = !Item.getAsInteger(10, N);
        C.Links.push_back(N);
        return Well;
      });
    LibraryAccess A;
    A.Reads = Word.starts_with("r") || Word.starts_with("u");
    A.Writes = Word.starts_with("w") || Word.starts_with("u");
    return (A.Reads || A.Writes) && access(Word.drop_front(), A, C);
  }

  void enter(StringRef Name, const LibraryCall *C) {
    if (Name.contains('*'))
      Patterns.push_back({Name.str(), C});
    else
      ByName.try_emplace(Name, C);
  }

  /// Parses one line, after '%' is replaced. Returns the error; empty: none.
  std::string line(StringRef Line) {
    SmallVector<StringRef, 8> Words;
    Line.split(Words, ' ', -1, /*KeepEmpty=*/false);
    LibraryCall &C = Calls.emplace_back();
    if (Words.size() < 2)
      return "no effects; '-' says that there are none";
    for (StringRef Word : drop_begin(Words))
      if (!effect(Word, C))
        return "no effect: '" + Word.str() + "'";
    SmallVector<StringRef, 8> Names;
    Words[0].split(Names, '|', -1, /*KeepEmpty=*/false);
    for (StringRef Name : Names)
      enter(Name, &C);
    return "";
  }

public:
  std::string add(StringRef Text) {
    unsigned Number = 0;
    while (!Text.empty()) {
      StringRef Line;
      std::tie(Line, Text) = Text.split('\n');
      ++Number;
      Line = Line.trim();
      if (Line.empty() || Line.starts_with("#"))
        continue;
      // The letters of BLAS precisions.
      static constexpr std::pair<char, StringRef> Letters[] = {
          {'s', "4"}, {'d', "8"}, {'c', "8"}, {'z', "16"}};
      bool Four = Line.contains('%');
      for (auto [Letter, Bytes] : ArrayRef(Letters).take_front(Four ? 4 : 1)) {
        std::string One;
        for (size_t K = 0; K < Line.size(); ++K)
          if (Line[K] != '%')
            One += Line[K];
          else if (K && Line[K - 1] == ':')
            One += Bytes;
          else
            One += Letter;
        if (std::string Wrong = line(One); !Wrong.empty())
          return "line " + std::to_string(Number) + ": " + Wrong;
      }
    }
    return "";
  }

  const LibraryCall *find(StringRef Name) {
    if (auto It = ByName.find(Name); It != ByName.end())
      return It->second;
    auto [It, New] = Found.try_emplace(Name, nullptr);
    if (New)
      for (auto &[Pattern, C] : Patterns)
        if (matches(Pattern, Name)) {
          It->second = C;
          break;
        }
    return It->second;
  }
};

Table &ofPeople() {
  static Table T;
  return T;
}

Table &builtIn() {
  static Table *T = [] {
    auto *New = new Table;
    static constexpr StringRef Text =
#include "objects/Libraries.def"
        ;
    if (std::string Wrong = New->add(Text); !Wrong.empty())
      report_fatal_error(Twine("Libraries.def: ") + Wrong);
    if (const char *Path = std::getenv("EVENKEEL_LIBRARIES"); Path && *Path) {
      auto File = MemoryBuffer::getFile(Path);
      std::string Wrong = File ? ofPeople().add((*File)->getBuffer())
                               : File.getError().message();
      if (!Wrong.empty())
        report_fatal_error(Twine("library functions: '") + Path + "': " + Wrong,
                           /*gen_crash_diag=*/false);
    }
    return New;
  }();
  return *T;
}

} // namespace

const LibraryCall *findLibraryCall(StringRef Name) {
  Table &T = builtIn();
  if (const LibraryCall *C = ofPeople().find(Name))
    return C;
  if (const LibraryCall *C = T.find(Name))
    return C;
  // The profiling names of MPI.
  return Name.starts_with("PMPI_") ? T.find(Name.drop_front()) : nullptr;
}

const LibraryCall *libraryCallOf(const CallBase &CB) {
  const Function *F = calleeOf(CB);
  return F && F->isDeclaration() && !F->isIntrinsic()
             ? findLibraryCall(F->getName())
             : nullptr;
}

bool growsContainer(const CallBase &CB) {
  const LibraryCall *L = libraryCallOf(CB);
  return L && any_of(L->Pointers, [](const LibraryCall::Pointer &P) {
           return P.Kind == LibraryCall::Pointer::New;
         });
}

bool isUnknownLibrary(const Function &F) {
  if (!F.isDeclaration() || F.isIntrinsic() || F.doesNotAccessMemory() ||
      F.doesNotReturn() || F.getName().starts_with("__kmpc_") ||
      F.getName().starts_with("ek_") || F.getName() == "free" ||
      F.getName().starts_with("_Zd") || findLibraryCall(F.getName()))
    return false;
  // Functions of the C standard that only take and return numbers.
  bool Pointers = F.getReturnType()->isPointerTy() ||
                  any_of(F.args(), [](const Argument &A) {
                    return A.getType()->isPointerTy();
                  });
  if (Pointers || F.isVarArg())
    return true;
  TargetLibraryInfoImpl Known(Triple(F.getParent()->getTargetTriple()));
  LibFunc Number;
  return !Known.getLibFunc(F, Number);
}

uint64_t mpiExtent(const Value *V) {
  // MPICH's handles of basic types contain their size.
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    uint64_t Handle = C->getZExtValue();
    return (Handle & 0xff000000) == 0x4c000000 ? Handle >> 8 & 0xff : 0;
  }
  auto *G = dyn_cast<GlobalVariable>(V->stripPointerCasts());
  StringRef Name = G ? G->getName() : "";
  if (!Name.consume_front("ompi_mpi_"))
    return 0;
  return StringSwitch<uint64_t>(Name)
      .Cases("char", "signed_char", "unsigned_char", "byte", 1)
      .Cases("int8_t", "uint8_t", "packed", "cxx_bool", 1)
      .Cases("short", "unsigned_short", "int16_t", "uint16_t", 2)
      .Cases("int", "unsigned", "float", "int32_t", "uint32_t", 4)
      .Cases("integer", "real", "logical", 4)
      .Cases("double", "long", "unsigned_long", "int64_t", "uint64_t", 8)
      .Cases("long_long_int", "unsigned_long_long", "dblprec", "double_int", 8)
      .Cases("2int", "float_int", "c_float_complex", "aint", 8)
      .Cases("c_complex", "cplex", "offset", 8)
      .Cases("long_double", "c_double_complex", "dblcplex", 16)
      .Default(0);
}

} // namespace evenkeel
