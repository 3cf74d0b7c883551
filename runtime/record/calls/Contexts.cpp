//===- Contexts.cpp - open wrapper calls of a thread ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Contexts.h. The end of a call restores the depth before it, so calls that
// an exception or a jump has left end with the next enclosing one.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Contexts.h"
#include "record/abi/record_abi.h"
#include "record/tasks/ThreadState.h"

using namespace ekrec;

Asked ekrec::askedAt(uint64_t Site) {
  const OpenCalls *Open = State.Open;
  if (!Open || !Open->Depth)
    return {Site, 0};
  ek_chain Chain;
  ek_chain_start(&Chain, Site);
  uint64_t At = Open->Depth < EK_CONTEXT_DEPTH ? Open->Depth : EK_CONTEXT_DEPTH;
  while (At-- > 0)
    ek_chain_add(&Chain, Open->Calls[At]);
  return {Site, ek_chain_id(&Chain)};
}

extern "C" {

uint64_t __ek_rec_depth(void) { return State.Open ? State.Open->Depth : 0; }

uint64_t __ek_rec_enter(uint64_t Call) {
  OpenCalls *&Open = State.Open;
  if (!Open)
    Open = static_cast<OpenCalls *>(reservePages(sizeof *Open));
  if (!Open)
    return 0;
  if (Open->Depth < EK_CONTEXT_DEPTH)
    Open->Calls[Open->Depth] = Call;
  return Open->Depth++;
}

void __ek_rec_leave(uint64_t Depth) {
  if (State.Open)
    State.Open->Depth = Depth;
}
}
