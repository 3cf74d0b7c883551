//===- IdsHeader.cpp - the generated header of kept sources ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See IdsHeader.h.
//===----------------------------------------------------------------------===//
#include "IdsHeader.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdio>

namespace evenkeel {
using llvm::StringRef;

namespace {
/// A macro of the generated header alone: its definitions with Evenkeel, in C
/// and in C++, and without it.
struct OwnMacro {
  const char *Name, *Parameters, *C, *Cxx, *Plain;
};

constexpr OwnMacro OwnMacros[] = {
    {"EK_AT", "(name, ...)", nullptr,
     "((void)::ek::at(EK_SITE(name)), __VA_ARGS__)", "(__VA_ARGS__)"},
    {"EK_CALLED", "(name, ...)",
     "((__typeof__(__VA_ARGS__))ek_leave(EK_CALL(name), "
     "(ek_enter(EK_CALL(name)), __VA_ARGS__)))",
     "::ek::leave(EK_CALL(name), ((void)::ek::call(EK_CALL(name)), "
     "__VA_ARGS__))",
     "(__VA_ARGS__)"},
    {"EK_CALLED_NUMBER", "(name, ...)",
     "((__typeof__(__VA_ARGS__))ek_leave_number(EK_CALL(name), "
     "(ek_enter(EK_CALL(name)), __VA_ARGS__)))",
     nullptr, "(__VA_ARGS__)"},
    {"EK_CALLED_VOID", "(name, ...)",
     "(ek_enter(EK_CALL(name)), __VA_ARGS__, ek_exit(EK_CALL(name)))", nullptr,
     "(__VA_ARGS__)"},
    {"EK_NEW", "(name)", nullptr, "new (::ek::site(EK_SITE(name)))", "new"},
    {"EK_NEW_WITH", "(name, ...)", nullptr,
     "new (::ek::site(EK_SITE(name)), __VA_ARGS__)", "new (__VA_ARGS__)"},
    {"EK_REGION_VALUES", "(name, ...)", "EK_VALUES_##name(__VA_ARGS__)",
     "EK_VALUES_##name(__VA_ARGS__)", "((void)0)"},
};

constexpr const char *NameMacros[] = {"EK_CALL", "EK_REGION", "EK_SITE",
                                      "EK_SYNC"};

constexpr char Head[] =
    R"(/* evenkeel_ids.h - made by `evenkeel rewrite --style kept`; do not edit
 *
 * The allocations, sync points and parallel regions that the sources of this
 * project name, and the ids under which Evenkeel's plans know them. After
 * changes in the sources, rewrite again. Where <evenkeel/ek.h> is not found,
 * and with -DEVENKEEL_DISABLE, the sources compile as if nothing had been
 * added.
 */
#ifndef EVENKEEL_IDS_H
#define EVENKEEL_IDS_H

#if defined __has_include && !defined EVENKEEL_DISABLE
#if __has_include(<evenkeel/ek.h>)
#include <evenkeel/ek.h>
#endif
#endif
)";
} // namespace

static const OwnMacro *ownMacro(StringRef Name) {
  for (const OwnMacro &M : OwnMacros)
    if (Name == M.Name)
      return &M;
  return nullptr;
}

bool isHeaderWord(StringRef Word) {
  return Word.starts_with("ek_") || Word.starts_with("EK_GLOBAL") ||
         Word.starts_with("EK_STATIC") || Word == "EK_AFTER" || ownMacro(Word);
}

bool isIdsHeader(StringRef Text) {
  return Text.starts_with(StringRef(Head).split('\n').first);
}

//===--- Reading ----------------------------------------------------------===//

/// The numbers 0x... in \p Line.
static std::vector<uint64_t> numbersIn(StringRef Line) {
  std::vector<uint64_t> Out;
  for (size_t I; (I = Line.find("0x")) != StringRef::npos;) {
    Line = Line.drop_front(I + 2);
    uint64_t Number = 0;
    if (!Line.take_while(llvm::isHexDigit).getAsInteger(16, Number))
      Out.push_back(Number);
  }
  return Out;
}

IdsHeader readIdsHeader(StringRef Text) {
  IdsHeader H;
  std::string Joined = Text.str(); // without line continuations
  for (size_t I; (I = Joined.find("\\\n")) != std::string::npos;)
    Joined.erase(I, 2);
  llvm::SmallVector<StringRef, 0> Lines;
  StringRef(Joined).split(Lines, '\n');
  std::string File;
  for (StringRef Line : Lines) {
    Line = Line.rtrim();
    if (StringRef Path = Line;
        Path.consume_front("/* ids in ") && Path.consume_back(" */")) {
      File = Path.str();
      continue;
    }
    if (!Line.consume_front("#define "))
      continue;
    const StringRef Name =
        Line.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    if (File.empty()) {
      if (isHeaderWord(Name))
        H.Used.insert(Name.str());
      continue;
    }
    const std::vector<uint64_t> Numbers = numbersIn(Line);
    StringRef Rest = Name;
    if (Numbers.empty())
      continue;
    if (Rest.consume_front("EK_VALUES_")) {
      H.Files[File].Handed[Rest.str()] = {Numbers[0],
                                          {Numbers.begin() + 1, Numbers.end()}};
      continue;
    }
    for (const char *Macro : NameMacros)
      if (StringRef N = Rest;
          N.consume_front(Macro) && N.consume_front("_") && !N.empty())
        H.Files[File].Ids[{Macro, N.str()}] = Numbers[0];
  }
  return H;
}

//===--- Writing ----------------------------------------------------------===//

static std::string literal(uint64_t Id) {
  char Text[40];
  std::snprintf(Text, sizeof Text, "0x%016llxULL",
                static_cast<unsigned long long>(Id));
  return Text;
}

/// The definition of \p Word for EVENKEEL_DISABLE in \p PublicHeader.
static std::string plainDefinition(StringRef Word, StringRef PublicHeader) {
  const StringRef Disabled =
      PublicHeader.split("\n#else /* EVENKEEL_DISABLE */").second;
  const size_t I = Disabled.find(("\n#define " + Word + "(").str());
  if (I == StringRef::npos)
    return "";
  return (Disabled.drop_front(I + 1).split('\n').first + "\n").str();
}

/// Adds a line break where \p Line gets longer than 80 columns.
static std::string define(StringRef Line) {
  std::string Out;
  const size_t Most = 78;
  bool First = true;
  while (Line.size() + (First ? 0 : 2) > Most + 2) {
    size_t Cut = Line.rfind(' ', Most - (First ? 0 : 2));
    if (Cut == StringRef::npos || Cut < 9)
      break;
    Out += (First ? "" : "  ") + Line.take_front(Cut).str() + " \\\n";
    Line = Line.drop_front(Cut + 1);
    First = false;
  }
  return Out + (First ? "" : "  ") + Line.str() + "\n";
}

static std::string definitionOf(const OwnMacro &M, const char *Text) {
  return Text ? define(std::string("#define ") + M.Name + M.Parameters + " " +
                       Text)
              : "";
}

/// What the sources use, with Evenkeel and without it.
static std::string writeUsed(const std::set<std::string> &Used,
                             StringRef PublicHeader) {
  std::string Both, C, Cxx, Plain;
  for (const std::string &Word : Used) {
    const OwnMacro *M = ownMacro(Word);
    if (!M) {
      Plain += plainDefinition(Word, PublicHeader);
      continue;
    }
    Plain += define(std::string("#define ") + M->Name + M->Parameters + " " +
                    M->Plain);
    if (M->C && M->Cxx && StringRef(M->C) == M->Cxx) {
      Both += definitionOf(*M, M->C);
      continue;
    }
    C += definitionOf(*M, M->C);
    Cxx += definitionOf(*M, M->Cxx);
  }
  std::string Out = "\n#ifdef EVENKEEL_EK_H\n" + Both;
  if (!Cxx.empty())
    Out += "#ifdef __cplusplus\n" + Cxx;
  if (!C.empty())
    Out += std::string(Cxx.empty() ? "#ifndef __cplusplus\n" : "#else\n") + C;
  if (!C.empty() || !Cxx.empty())
    Out += "#endif\n";
  return Out + "#else /* without Evenkeel */\n" + Plain + "#endif\n";
}

/// `#define EK_VALUES_name(a, b) EK_VALUES(...)`.
static std::string writeHanded(const std::string &Name,
                               const HandedSymbols &H) {
  std::string Parameters, Values;
  for (size_t I = 0; I < H.Symbols.size(); ++I) {
    const std::string P = "v" + std::to_string(I + 1);
    Parameters += (I ? ", " : "") + P;
    Values += ", EK_VALUE(" + literal(H.Symbols[I]) + ", " + P + ")";
  }
  return define("#define EK_VALUES_" + Name + "(" + Parameters +
                ") EK_VALUES(" + literal(H.Region) + Values + ")");
}

std::string writeIdsHeader(const IdsHeader &H, StringRef PublicHeader) {
  std::set<std::string> Macros;
  for (const auto &[File, Ids] : H.Files)
    for (const auto &[Name, Id] : Ids.Ids)
      Macros.insert(Name.first);
  std::string Out = Head;
  Out += writeUsed(H.Used, PublicHeader) + "\n";
  for (const std::string &Macro : Macros)
    Out += "#define " + Macro + "(name) " + Macro + "_##name\n";
  for (const auto &[File, Ids] : H.Files) {
    if (Ids.Ids.empty())
      continue;
    Out += "\n/* ids in " + File + " */\n";
    for (const auto &[Name, Id] : Ids.Ids)
      Out += "#define " + Name.first + "_" + Name.second + " " + literal(Id) +
             "\n";
    for (const auto &[Name, Symbols] : Ids.Handed)
      Out += writeHanded(Name, Symbols);
  }
  return Out + "\n#endif\n";
}

} // namespace evenkeel
