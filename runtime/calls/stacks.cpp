//===- stacks.cpp - turning stacks.json into flat arrays --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: profiles/format/Stacks.h.
// Makes: flat arrays, and the meaning of a chain of frames. Throws nothing.
// A wrapper that ends in a tail call has no frame of its own. The first frame
// seen is then the wrapper's caller, which determines the site if the facts
// have only one site that is reached through that call.
//===----------------------------------------------------------------------===//
#include "calls/stacks.h"
#include "format/Stacks.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

using namespace evenkeel;

static char *copy(const std::string &Text) {
  char *To = new char[Text.size() + 1];
  std::memcpy(To, Text.c_str(), Text.size() + 1);
  return To;
}

static ek_stacks *flatten(const Stacks &From) {
  auto *To = new ek_stacks();
  std::snprintf(To->program, sizeof To->program, "%s", From.Program.c_str());
  To->frames = new ek_stack_frame[From.Frames.size() + 1]();
  for (size_t I = 0; I < From.Frames.size(); ++I) {
    const std::vector<uint64_t> &Sites = From.Frames[I].Sites;
    To->frames[I].site = Sites.empty() ? 0 : Sites[0];
    To->frames[I].ambiguous = Sites.size() > 1;
    for (const StackContext &C : From.Contexts)
      To->frames[I].wrapped |= C.Site == To->frames[I].site;
  }
  To->contexts = new ek_stack_context[From.Contexts.size() + 1]();
  for (const StackContext &C : From.Contexts) {
    if (C.Calls.size() > EK_CONTEXT_CALLS)
      continue; // longer than the contexts formed at run time
    ek_stack_context &X = To->contexts[To->context_count++];
    X.site = C.Site;
    X.context = C.Context;
    X.count = static_cast<uint32_t>(C.Calls.size());
    std::copy(C.Calls.begin(), C.Calls.end(), X.calls);
  }
  size_t Chained = 0;
  for (const StackModule &M : From.Modules)
    for (const StackRange &R : M.Ranges)
      Chained += R.Frames.size();
  To->chains = new uint32_t[Chained + 1]();
  To->modules = new ek_stack_module[From.Modules.size() + 1]();
  uint32_t At = 0;
  for (const StackModule &M : From.Modules) {
    ek_stack_module &X = To->modules[To->module_count++];
    X.name = copy(M.Name);
    X.build = copy(M.Build);
    auto *Ranges = new ek_stack_range[M.Ranges.size() + 1]();
    for (const StackRange &R : M.Ranges) {
      Ranges[X.range_count++] = {R.From, R.To, At,
                                 static_cast<uint32_t>(R.Frames.size())};
      for (uint32_t F : R.Frames)
        To->chains[At++] = F == NoFrame ? EK_NO_FRAME : F;
    }
    X.ranges = Ranges;
    auto *Globals = new ek_stack_global[M.Globals.size() + 1]();
    for (const StackGlobal &G : M.Globals)
      Globals[X.global_count++] = {G.Site, G.Address, G.Bytes};
    X.globals = Globals;
    auto *Syncs = new ek_stack_sync[M.Syncs.size() + 1]();
    for (const StackSync &Y : M.Syncs) {
      Syncs[X.sync_count++] = {Y.Sync, Y.From, Y.To, Y.isMpi()};
      (Y.isMpi() ? To->waits : To->joins) = true;
    }
    X.syncs = Syncs;
  }
  return To;
}

ek_stacks *ek_stacks_read(const char *Path, char *Message, size_t Size) {
  try {
    auto S = readStacks(Path);
    if (S)
      return flatten(*S);
    std::snprintf(Message, Size, "%s", S.message().c_str());
  } catch (const std::exception &E) {
    std::snprintf(Message, Size, "%s: %s", Path, E.what());
  } catch (...) {
    std::snprintf(Message, Size, "%s: could not be read", Path);
  }
  return nullptr;
}

void ek_stacks_free(ek_stacks *S) {
  for (size_t I = 0; I < S->module_count; ++I) {
    delete[] S->modules[I].name;
    delete[] S->modules[I].build;
    delete[] S->modules[I].ranges;
    delete[] S->modules[I].globals;
    delete[] S->modules[I].syncs;
  }
  delete[] S->modules;
  delete[] S->chains;
  delete[] S->contexts;
  delete[] S->frames;
  delete S;
}

uint64_t ek_stacks_text_hash(uint64_t Before, const void *Bytes, size_t Size) {
  return stackTextHash(Before, Bytes, Size);
}

static ek_stack_end addFrame(const ek_stacks *S, uint32_t Index,
                             ek_stack_state *State) {
  bool Begun = State->site || State->count;
  if (Index == EK_NO_FRAME)
    return Begun ? EK_STACK_SITE : EK_STACK_NO_SITE;
  const ek_stack_frame &F = S->frames[Index];
  if (F.site && Begun)
    return EK_STACK_SITE; // this frame belongs to another expression
  if (F.ambiguous)
    return EK_STACK_AMBIGUOUS;
  if (F.site) {
    State->site = F.site;
    return F.wrapped ? EK_STACK_OPEN : EK_STACK_SITE;
  }
  State->calls[State->count++] = Index;
  return State->count == EK_CONTEXT_CALLS ? EK_STACK_SITE : EK_STACK_OPEN;
}

ek_stack_end ek_stack_step(const ek_stacks *S, const ek_stack_module *Module,
                           uint64_t Address, ek_stack_state *State) {
  const ek_stack_range *End = Module->ranges + Module->range_count;
  const ek_stack_range *R = std::upper_bound(
      Module->ranges, End, Address,
      [](uint64_t A, const ek_stack_range &X) { return A < X.to; });
  if (R == End || Address < R->from)
    return addFrame(S, EK_NO_FRAME, State);
  for (uint32_t I = 0; I < R->count; ++I) {
    ek_stack_end Step = addFrame(S, S->chains[R->first + I], State);
    if (Step != EK_STACK_OPEN)
      return Step;
  }
  return EK_STACK_OPEN;
}

uint64_t ek_stack_sync_at(const ek_stack_module *Module, uint64_t Address,
                          bool Mpi) {
  const ek_stack_sync *End = Module->syncs + Module->sync_count;
  const ek_stack_sync *Y = std::upper_bound(
      Module->syncs, End, Address,
      [](uint64_t A, const ek_stack_sync &X) { return A < X.to; });
  return Y != End && Address >= Y->from && Y->mpi == Mpi ? Y->sync : 0;
}

ek_stack_end ek_stack_answer(const ek_stacks *S, const ek_stack_state *State,
                             ek_stack_end End, ek_asked *Out) {
  if (End != EK_STACK_SITE && End != EK_STACK_OPEN)
    return End;
  if (!State->site && !State->count)
    return EK_STACK_UNKNOWN;
  // The longest chain of calls that matches is the most specific.
  const ek_stack_context *Best = nullptr;
  bool Several = false;
  for (size_t I = 0; I < S->context_count; ++I) {
    const ek_stack_context &C = S->contexts[I];
    if ((State->site && C.site != State->site) || C.count > State->count ||
        !std::equal(C.calls, C.calls + C.count, State->calls))
      continue;
    if (!Best || C.count > Best->count) {
      Best = &C;
      Several = false;
    } else if (C.count == Best->count) {
      Several |= C.site != Best->site;
    }
  }
  if (!State->site && (!Best || Several))
    return Best ? EK_STACK_AMBIGUOUS : EK_STACK_NO_SITE;
  Out->site = State->site ? State->site : Best->site;
  Out->context = Best ? Best->context : 0;
  return EK_STACK_SITE;
}
