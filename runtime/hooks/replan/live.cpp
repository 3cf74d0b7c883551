//===- live.cpp - live objects, for planning again ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See live.h.
//===----------------------------------------------------------------------===//
#include "hooks/replan/live.h"
#include "core/stats.h"
#include "objects/chain.h"
#include "objects/object.h"
#include "placement/in_force.h"
#include "placement/unlike.h"
#include "ranks/board.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

namespace evenkeel {

static void addLive(ek_object *O, void *All) {
  auto &V = *static_cast<std::vector<Live> *>(All);
  const bool FirstTouch =
      !O->plan && O->accounted && !O->pinned && ek_plan_now->keeps_first_touch;
  // Objects that are not in the plan lie in slow memory and may be moved.
  const bool Unlike = !O->plan && O->accounted && !O->pinned && O->site &&
                      O->percent == EK_NO_FAST && !ek_board_on &&
                      !ek_plan_now->keeps_first_touch && ek_unlike_any();
  if (V.size() == V.capacity() || O->range == EK_SMALLS ||
      (!O->plan && !FirstTouch && !Unlike))
    return;
  const double Wanted =
      double(O->fast_pages) + (FirstTouch ? O->slow_pages : O->short_pages);
  const uint32_t First = ek_board_on ? ek_plan_now->ranks[ek_board_rank()] : 0;
  V.push_back({{O->site, ek_chain_context(O->chain),
                uint64_t(First) + O->creator, O->ordinal, O->in_context},
               double(O->bytes),
               Wanted > 0 ? O->fast_pages / Wanted : 1});
}

static void sort(std::vector<Live> &V) {
  std::sort(V.begin(), V.end(), [](const Live &A, const Live &B) {
    return std::tie(A.Name.Site, A.Name.Creator, A.Name.Ordinal) <
           std::tie(B.Name.Site, B.Name.Creator, B.Name.Ordinal);
  });
}

std::vector<Live> liveObjects() {
  std::vector<Live> V;
  // Nothing is allocated under the locks; objects beyond this wait for a later
  // look.
  V.reserve(std::min<uint64_t>(
      ek_get(objects) + ek_get(globals) - ek_get(freed) + 16, 100000));
  ek_objects_lock();
  ek_place_lock();
  ek_objects_each_locked(addLive, &V);
  ek_place_unlock();
  ek_objects_unlock();
  sort(V);
  return V;
}

std::vector<Live> objectsOfAll() {
  std::vector<Live> All = liveObjects();
  for (uint32_t R = 0; R < ek_plan_now->rank_count; ++R) {
    if (R == ek_board_rank())
      continue;
    const ek_board_object *Theirs;
    const size_t Count = ek_board_answer_of(R, &Theirs);
    if (Count == SIZE_MAX)
      throw std::runtime_error("a rank has more planned objects than " +
                               std::to_string(EK_BOARD_OBJECTS));
    for (size_t I = 0; I < Count; ++I)
      All.push_back({{Theirs[I].site, Theirs[I].context, Theirs[I].creator,
                      Theirs[I].ordinal, Theirs[I].in_context},
                     Theirs[I].bytes,
                     Theirs[I].reached});
  }
  sort(All);
  return All;
}

std::vector<double> sharesNow(const Problem &P, const Plan &Now,
                              const std::vector<Live> &Alive) {
  std::vector<double> Fast = sharesOf(P, Now);
  std::map<InstanceKey, double> Reached;
  for (const Live &L : Alive)
    Reached[keyOf(L.Name)] = L.Reached;
  for (size_t U = 0; U < Fast.size(); ++U) {
    auto It = Reached.find(keyOf(nameOf(P.Instances[P.Units[U].Instance])));
    if (It != Reached.end())
      Fast[U] = Now.KeepsFirstTouch ? It->second : Fast[U] * It->second;
  }
  return Fast;
}

} // namespace evenkeel
