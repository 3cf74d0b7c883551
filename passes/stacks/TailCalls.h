//===- TailCalls.h - return addresses of tail calls -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the call sites of DWARF 5 and their GNU form in DWARF 4. A function
// that ends with a call may jump instead: it leaves no frame, and the callee
// returns to the function's own caller. Makes: for each such return address,
// the jumps that may have led there. Clang writes no call site for calls that
// the compiler generates (of the OpenMP library); such a jump is the
// instruction at the end of its line's code.
// Not here: calls through pointers, and programs without call sites (-O0, -g1).
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
    uint64_t From; // within the jump instruction
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
  std::map<uint64_t, Function> Functions; // by start address

  void collect(const std::string &Function, std::set<uint64_t> &Found,
               std::set<std::string> &Seen) const;

public:
  void add(llvm::DWARFUnit &U);
  /// Adds the jump out of its function at the end of the code [From, To), if
  /// there is one. \p Bytes are the section's bytes from address \p Section on.
  void addJump(uint64_t From, uint64_t To, llvm::ArrayRef<uint8_t> Bytes,
               uint64_t Section);
  std::map<uint64_t, std::set<uint64_t>> jumpsByReturn() const;
};

} // namespace evenkeel

#endif
