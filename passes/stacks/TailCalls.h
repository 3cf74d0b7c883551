//===- TailCalls.h - calls that return for others ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the call sites of DWARF 5 and their GNU form in DWARF 4. A function
// whose last act is a call may jump instead: it leaves no frame, and what it
// jumped to returns to its own caller. Makes: for each such return address the
// jumps that may have led there. Calls that the compiler makes itself (of the
// OpenMP library) have no call site of Clang's: such a jump is the instruction
// at the end of its line's code.
// Leaves out: calls by pointer, and programs without call sites (-O0, -g1).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_STACKS_TAILCALLS_H
#define EVENKEEL_PASSES_STACKS_TAILCALLS_H

#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace evenkeel {

class TailCalls {
  struct Jump {
    uint64_t From; // within the instruction that jumps
    std::string To;
  };
  struct Call {
    uint64_t ReturnsTo;
    std::string To;
  };
  std::map<std::string, std::vector<Jump>> Jumps; // by function
  std::vector<Call> Calls;
  struct Function {
    uint64_t To;
    std::string Name;
  };
  std::map<uint64_t, Function> Functions; // by where they begin

  void collect(const std::string &Function, std::set<uint64_t> &Found,
               std::set<std::string> &Seen) const;

public:
  void add(llvm::DWARFUnit &U);
  /// A jump out of its function at the end of code [From, To), if there is one.
  /// \p Bytes are those of the section from address \p Section on.
  void addJump(uint64_t From, uint64_t To, llvm::ArrayRef<uint8_t> Bytes,
               uint64_t Section);
  std::map<uint64_t, std::set<uint64_t>> jumpsByReturn() const;
};

} // namespace evenkeel

#endif
