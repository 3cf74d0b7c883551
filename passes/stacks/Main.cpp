//===- Main.cpp - evenkeel-stacks: the table of call stacks ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// evenkeel-stacks FACTS ROOT OUT BINARY...: started by `evenkeel analyze
// --binary`; a separate program, because the command does not link LLVM. ROOT
// may be empty. Writes OUT completely or not at all.
//===----------------------------------------------------------------------===//
#include "LineTable.h"
#include "format/File.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace evenkeel;

static int fail(const Twine &Line) {
  errs() << "error: " << Line << '\n';
  return 2;
}

int main(int Count, char **Arguments) {
  if (Count < 5)
    return fail("use: evenkeel-stacks FACTS ROOT OUT BINARY...");
  auto F = readFacts(Arguments[1]);
  if (!F)
    return fail(F.message());
  StackTable Table(*F, Arguments[2]);
  for (int I = 4; I < Count; ++I) {
    auto B = readBinary(Arguments[I]);
    if (!B)
      return fail(toString(B.takeError()));
    if (llvm::Error E = Table.add(*B))
      return fail(toString(std::move(E)));
  }
  if (auto E = writeWholeFile(Arguments[3], stacksToJson(Table.stacks())))
    return fail(E->Message);
  return 0;
}
