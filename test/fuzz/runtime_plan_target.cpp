//===- runtime_plan_target.cpp - plan.json as the runtime reads it --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the runtime keeps of a plan agrees with what the plan says, and
// both choose the same entry for an instance.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "core/names.h"
#include "format/plan/Plan.h"
#include "runtime/placement/plan.h"
#include <cstdlib>

using namespace evenkeel;
using namespace ekfuzz;

static void checkSame(const PlanObject *A, const ek_plan_object *B) {
  // What a later phase names first has an entry in the runtime: slow till then.
  const bool Later = !A && B && B->share == 0 && !B->range_count;
  EK_HOLDS(!A == !B || Later, "only one side knows an object");
  if (!A)
    return;
  // Not the same entry: what a phase names later has one of its own, which says
  // the same until then.
  EK_HOLDS(A->Site == B->site && A->Share == B->share &&
               A->Ranges.size() == B->range_count,
           "the sides place an object differently");
}

bool ekfuzz::runRuntimePlan(const std::string &Input) {
  std::string Path = scratchFile("in", Input);
  char Why[512] = "";
  ek_plan *Flat = ek_plan_read(Path.c_str(), Why, sizeof Why);
  Expected<Plan> P = readPlan(Path);
  EK_HOLDS(bool(Flat) == bool(P), "only one side accepts the plan");
  if (!Flat) {
    EK_HOLDS(Why[0], "a plan is refused without a reason");
    return false;
  }
  size_t Named = 0;
  for (size_t I = 0; I < Flat->count; ++I)
    Named += Flat->objects[I].more + 1;
  EK_HOLDS(Named >= P->Objects.size() && Flat->fast_bytes == P->FastBytes &&
               Flat->keeps_first_touch == P->KeepsFirstTouch &&
               Flat->all_fits == P->AllFits,
           "the runtime has another plan");
  size_t Ranges = 0, FlatRanges = 0;
  for (const PlanObject &O : P->Objects) {
    Ranges += O.Ranges.size();
    for (uint32_t Off : {0u, 1u}) {
      uint32_t Creator = O.Creator.value_or(7) + Off;
      uint32_t Ordinal = O.Ordinal.value_or(7) + Off;
      for (uint64_t Context : {uint64_t(0), O.Context.value_or(3)}) {
        const ek_instance Its = {O.Site, Context, Creator,
                                 O.OfSite.value_or(Ordinal), Ordinal};
        checkSame(
            P->find({Its.site, Context, Creator, Its.ordinal, Its.in_context}),
            ek_plan_find(Flat, &Its));
      }
    }
  }
  for (size_t I = 0; I < Flat->count; ++I) {
    FlatRanges += Flat->objects[I].range_count * (Flat->objects[I].more + 1);
    for (size_t R = 0; R < Flat->objects[I].range_count; ++R) {
      const ek_plan_range &X = Flat->objects[I].ranges[R];
      EK_HOLDS(X.from < X.to && X.to <= EK_PLAN_CHUNKS && X.share >= 0 &&
                   X.share <= 1,
               "a range that cannot be");
    }
  }
  EK_HOLDS(Ranges <= FlatRanges, "the runtime has other ranges");
  size_t Changes = 0;
  for (const PlanChange &C : P->Changes)
    Changes += C.Objects.size();
  // A change of all that a creator makes may be one of several entries.
  EK_HOLDS(Changes <= Flat->change_count, "the runtime has other changes");
  for (size_t I = 0; I < Flat->change_count; ++I) {
    const ek_plan_change &C = Flat->changes[I];
    EK_HOLDS(C.entry >= Flat->objects && C.entry < Flat->objects + Flat->count,
             "a change of no entry");
    EK_HOLDS(!I || Flat->changes[I - 1].phase <= C.phase, "changes by phase");
    delete[] const_cast<ek_plan_range *>(C.ranges);
  }
  EK_HOLDS(Flat->step_count == P->Phases.size(),
           "the runtime has other phases");
  for (size_t I = 0; I < Flat->sync_count; ++I)
    EK_HOLDS(Flat->syncs[I].last < Flat->step_count &&
                 Flat->steps[Flat->syncs[I].last].sync == Flat->syncs[I].sync &&
                 (!I || Flat->syncs[I - 1].sync < Flat->syncs[I].sync),
             "a hook of no phase");
  for (size_t I = 0; Flat->rank_count && I < Flat->step_count; ++I) {
    std::vector<double> ByRank(Flat->rank_count, -1);
    const size_t From = ek_plan_part(Flat, I, ByRank.data());
    EK_HOLDS(From <= I || From == Flat->step_count, "a part that ends early");
    for (double Seconds : ByRank)
      EK_HOLDS(Seconds >= 0, "a rank that takes no time that can be");
  }
  delete[] Flat->changes;
  delete[] Flat->steps;
  delete[] Flat->syncs;
  delete[] Flat->task_seconds;
  delete[] Flat->task_kinds;
  delete[] Flat->task_index;
  delete[] Flat->ranks;
  std::free(const_cast<char *>(Flat->file));
  // Plans live as long as the process; here there are many.
  for (size_t I = 0; I < Flat->count; ++I)
    delete[] const_cast<ek_plan_range *>(Flat->objects[I].ranges);
  ek_names_are(nullptr, 0);
  for (const ek_name *N = Flat->names; N->id; ++N)
    delete[] N->text;
  delete[] Flat->names;
  delete[] Flat->values;
  delete[] Flat->totals;
  delete[] Flat->by_order;
  delete[] Flat->objects;
  delete Flat;
  return true;
}
