//===- Result.cpp - what the advisor prints -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the three forms of the advisor's output.
//===----------------------------------------------------------------------===//
#include "Advisor.h"
#include "format/ecohmem/Numbers.h"

using namespace evenkeel;
using namespace evenkeel::advisor;

static std::string sizeText(const Tier &T) {
  return T.WholeBytes ? std::to_string(int64_t(T.Bytes))
                      : ecohmem::floatText(T.Bytes);
}

/// Objects with neither ':' nor '!' in their stack are variables, which
/// FlexMalloc does not place.
static const char *staticMark(const Object &O) {
  return O.Stack.find_first_of(":!") == std::string::npos ? "# Static " : "";
}

static std::string figures(const Object &O, bool WithStores) {
  std::string Out = O.Stack + " - " + std::to_string(O.Loads) + " loads - ";
  if (WithStores)
    Out += std::to_string(O.Stores) + " stores - ";
  return Out + std::to_string(O.Bytes) + " bytes";
}

static std::string costText(const Object &O) {
  std::string Out = "  - cost  [";
  for (size_t I = 0; I < O.Value.size(); ++I)
    Out += (I ? ", " : "") + ecohmem::floatText(O.Value[I]);
  return Out + "]\n";
}

Expected<std::string> advisor::resultText(const Distribution &D, Form As,
                                          bool WithStores) {
  std::string Out;
  for (size_t T = 0; T < D.Tiers.size(); ++T) {
    const Tier &Into = D.Tiers[T];
    if (As == Form::Verbose)
      Out += "-- " + Into.Name + " - " + sizeText(Into) + " bytes --\n";
    else if (As == Form::Locations)
      Out += "# Memory configuration for " + Into.Name + " with size " +
             sizeText(Into) + " bytes\n";
    double Bytes = 0;
    int64_t WholeBytes = 0;
    for (uint32_t I : D.InTier[T]) {
      const Object &O = D.Objects[I];
      if (As == Form::Verbose)
        Out += figures(O, WithStores) + costText(O);
      else if (As == Form::Visualizer)
        Out += O.Stack + ";" + std::to_string(O.Bytes) + ";" +
               std::to_string(O.Loads) + "\n";
      else
        Out += staticMark(O) + O.Stack + " @ " + Into.Allocator + "\n";
      Bytes += double(O.Bytes);
      if (__builtin_add_overflow(WholeBytes, O.Bytes, &WholeBytes))
        return Error{"the objects of tier " + Into.Name +
                     " have more than 2^63 bytes"};
    }
    if (As != Form::Verbose)
      continue;
    if (Into.Bytes == 0)
      return Error{"tier " + Into.Name +
                   " has no size, so there is no share "
                   "of it to print"};
    Out += "--\n" + std::to_string(D.InTier[T].size()) + " objects; " +
           std::to_string(WholeBytes) + " bytes (" +
           ecohmem::floatText(Bytes * 100. / Into.Bytes) + "%);\n\n";
  }
  if (As != Form::Verbose)
    return Out;
  Out += "-- WHEREVER --\n";
  int64_t Bytes = 0;
  for (const Object &O : D.Useless) {
    Out += figures(O, WithStores) + "\n";
    if (__builtin_add_overflow(Bytes, O.Bytes, &Bytes))
      return Error{"the objects without accesses have more than 2^63 bytes"};
  }
  return Out + "--\n" + std::to_string(D.Useless.size()) + " objects; " +
         std::to_string(Bytes) + " bytes\n";
}
