//===- Conversions.cpp - library functions that read numbers --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Conversions.h.
//===----------------------------------------------------------------------===//
#include "access/inputs/Conversions.h"
#include "unit/Calls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace evenkeel {

StringRef plainName(const CallBase &CB) {
  const Function *F = calleeOf(CB);
  if (!F || !F->isDeclaration())
    return "";
  StringRef Name = F->getName();
  for (StringRef Prefix : {"__isoc99_", "__isoc23_", "__GI_"})
    Name.consume_front(Prefix);
  if (Name.starts_with("_Z"))
    return Name;
  if (Name.starts_with("__") && Name.consume_back("_internal"))
    return Name.drop_front(2); // __strtol_internal
  if (Name.starts_with("__") && Name.consume_back("_chk"))
    return Name.drop_front(2); // __strcpy_chk
  if (Name.starts_with("__") && Name.ends_with("stat"))
    return Name; // __xstat: it has other arguments than stat
  return Name;
}

bool isOptionParser(const CallBase &CB) {
  StringRef Name = plainName(CB);
  return Name == "getopt" || Name == "getopt_long" ||
         Name == "getopt_long_only";
}

std::optional<std::string> literalAt(const Value *V) {
  StringRef Text;
  if (!getConstantStringInfo(V, Text))
    return std::nullopt;
  return Text.str();
}

static Conversion into(Conversion::SourceType From, unsigned Of, unsigned Into,
                       bool Number = false) {
  Conversion C;
  C.From = From;
  C.Of = Of;
  C.Into = Into;
  C.Number = Number;
  return C;
}

/// scanf and its like: the format is in operand \p Format.
static std::optional<Conversion>
scanOf(const CallBase &CB, Conversion::SourceType From, unsigned Format) {
  if (CB.arg_size() <= Format)
    return std::nullopt;
  Conversion C = into(From, 0, Format + 1);
  C.Format = literalAt(CB.getArgOperand(Format));
  return C.Format ? std::optional(C) : std::nullopt;
}

/// istream >> value: operators are mangled with the value's type.
static std::optional<Conversion> extractionOf(const CallBase &CB,
                                              StringRef Name) {
  if (CB.arg_size() < 2 ||
      (!Name.consume_front("_ZNSirsER") &&
       !(Name.consume_front("_ZNSi10_M_extractI") && Name.contains("EERSi"))))
    return std::nullopt;
  const char Type = Name.empty() ? 0 : Name.front();
  if (!StringRef("sijtlmxydfe").contains(Type))
    return std::nullopt;
  return into(Conversion::Stream, 0, 1, StringRef("dfe").contains(Type));
}

std::optional<Conversion> conversionOf(const CallBase &CB) {
  const StringRef Name = plainName(CB);
  if (Name.empty())
    return std::nullopt;
  Conversion C;
  if (Name == "atoi" || Name == "atol" || Name == "atoll")
    return C;
  if (Name == "strtol" || Name == "strtoll" || Name == "strtoul" ||
      Name == "strtoull" || Name == "strtoimax" || Name == "strtoumax" ||
      Name == "strtoq" || Name == "strtouq") {
    auto *Base = dyn_cast<ConstantInt>(CB.getArgOperand(2));
    if (!Base)
      return std::nullopt;
    C.Base = int(Base->getSExtValue());
    return C;
  }
  if (Name == "atof" || Name == "strtod" || Name == "strtof" ||
      Name == "strtold") {
    C.Number = true;
    return C;
  }
  if (Name == "sscanf")
    return scanOf(CB, Conversion::Text, 1);
  if (Name == "fscanf")
    return scanOf(CB, Conversion::FileText, 1);
  if (Name == "ftell" || Name == "ftello" || Name == "ftello64") {
    C.From = Conversion::File;
    return C;
  }
  if (Name == "stat" || Name == "stat64" || Name == "lstat")
    return into(Conversion::Path, 0, 1);
  if (Name == "__xstat" || Name == "__lxstat")
    return into(Conversion::Path, 1, 2);
  return extractionOf(CB, Name);
}

std::optional<Comparison> comparisonOf(const CallBase &CB) {
  const StringRef Name = plainName(CB);
  Comparison C;
  if (Name == "strcmp" || Name == "strcasecmp")
    return C;
  if (Name == "strncmp" || Name == "strncasecmp" || Name == "memcmp" ||
      Name == "bcmp") {
    auto *N = dyn_cast<ConstantInt>(CB.getArgOperand(2));
    if (!N)
      return std::nullopt;
    C.Characters = N->getZExtValue();
    return C;
  }
  if (Name.starts_with("_ZNKSt7__cxx1112basic_string") &&
      Name.ends_with("7compareEPKc")) {
    C.OfString = true;
    return C;
  }
  return std::nullopt;
}

} // namespace evenkeel
