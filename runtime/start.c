/*===- start.c - start, fork and end of all rooms ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the order in which rooms start and end. Everything is usable before
 * main, in the child of fork, and in exit handlers: nothing is torn down at the
 * end, only reported.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "arenas/arena.h"
#include "calls/stack.h"
#include "core/alone.h"
#include "core/counters.h"
#include "core/leave.h"
#include "core/libc.h"
#include "core/options.h"
#include "core/say.h"
#include "core/state.h"
#include "core/stats.h"
#include "core/text.h"
#include "finish.h"
#include "hooks/made.h"
#include "hooks/replan/balance.h"
#include "hooks/replan/replan.h"
#include "hooks/replan/report.h"
#include "hooks/replan/totals.h"
#include "hooks/replan/values.h"
#include "objects/extent.h"
#include "objects/object.h"
#include "objects/pages.h"
#include "observe/log.h"
#include "observe/raw.h"
#include "observe/samples.h"
#include "observe/seen.h"
#include "observe/summary.h"
#include "observe/sums.h"
#include "observe/syncs.h"
#include "placement/moves/migrate.h"
#include "placement/moves/pass.h"
#include "placement/place.h"
#include "placement/report.h"
#include "providers/provider.h"
#include "ranks/board.h"
#include "ranks/node.h"
#include "ranks/rank.h"
#include "ranks/share.h"
#include "required/required.h"
#include "rows/rows.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>

/* A signal handler may fork while it interrupts any of our functions, or fork()
 * itself. So nested forks leave the locks to the outermost. If there is no
 * other thread, none are taken: locks that are held belong to the interrupted
 * code, which continues in the child, too. */
static _Thread_local struct {
  int depth;
  bool locked;
} forking __attribute__((tls_model("initial-exec")));

static void fork_prepare(void) {
  if (forking.depth++ > 0)
    return;
  forking.locked = !ek_is_alone();
  if (!forking.locked)
    return;
  ek_rows_lock();
  ek_required_fork_prepare();
  ek_arenas_lock();
  ek_state_lock();
  ek_objects_lock();
  ek_place_lock();
  ek_moving_fork_wait();
  ek_extents_lock();
  ek_raw_lock();
  ek_sums_lock();
  ek_log_lock();
}

static void unlock(void (*required)(void)) {
  if (--forking.depth > 0 || !forking.locked)
    return;
  ek_log_unlock();
  ek_sums_unlock();
  ek_raw_unlock();
  ek_extents_unlock();
  ek_place_unlock();
  ek_objects_unlock();
  ek_state_unlock();
  ek_arenas_unlock();
  required();
  ek_rows_unlock();
}

static void fork_parent(void) { unlock(ek_required_fork_parent); }

static void fork_child(void) {
  ek_migrate_forked();
  ek_share_forked();
  ek_board_forked();
  ek_balance_forked();
  ek_values_forked();
  unlock(ek_required_fork_child);
  ek_raw_forked();
  ek_phase_now = 0;
  ek_log_forked();
  ek_counters_forked();
  ek_samples_forked();
}

static void read_plan(void) {
  char why[512];
  if (!ek_opt.plan[0])
    return;
  if (ek_opt.required) {
    ek_say("evenkeel: plan-required: a plan divides objects, which must be in "
           "the required tier as a whole; running without the plan\n");
    ek_count(EK_WHY_plan_required, 1);
    ek_place_plan(NULL);
    ek_place_launched(ek_rank_count());
    return;
  }
  ek_plan *plan = ek_plan_read(ek_opt.plan, why, sizeof why);
  /* Reading takes several times the plan's memory, which would otherwise stay
   * in fast memory. Return it before free memory is measured. */
  malloc_trim(0);
  ek_place_plan(plan);
  ek_place_launched(ek_rank_count());
  if (!plan) {
    ek_say("evenkeel: %s; running without a plan\n", why);
    ek_count(EK_WHY_plan_unreadable, 1);
  }
}

/* Warns of a plan for another program: neither the plan nor the calls' shares
 * named any object of the run. Only known at the end. */
static void check_plan(void) {
  if (!ek_plan_now || !ek_plan_now->count || !ek_get(objects) ||
      ek_get(planned) || ek_get(by_call) || ek_plan_was_used(ek_plan_now))
    return;
  bool expected = !ek_plan_now->rank_count; /* a plan need not name each rank */
  for (size_t i = 0; i < ek_plan_now->count; ++i)
    expected |=
        ek_plan_names_rank(ek_plan_now, &ek_plan_now->objects[i], ek_rank());
  if (ek_plan_now->keeps_first_touch || !expected)
    return;
  ek_say("evenkeel: %s: names none of this run's %llu objects; was it made "
         "for another program?\n",
         ek_opt.plan, (unsigned long long)ek_get(objects));
  ek_count(EK_WHY_plan_other_program, 1);
}

/* Whether the last words, including the summary, were written. */
static bool said;

static void last_words(void) {
  if (!ek_running() || __atomic_exchange_n(&said, true, __ATOMIC_ACQ_REL))
    return;
  ek_migrate_stop();
  ek_required_end();
  ek_replan_end();
  check_plan();
  ek_raw_write(ek_rank(), ek_objects_tell);
  ek_seen_write(&(ek_seen_end){ek_rank(), ek_rank_count(), ek_plan_now != NULL,
                               ek_objects_tell, ek_ompt_hook_of,
                               ek_replan_sums.seen});
  ek_log_end();
  if (!ek_stack_stranger || !ek_stack_stranger())
    ek_finish_summary();
  ek_board_close();
  ek_share_close();
}

static void goes_on(void) { __atomic_store_n(&said, false, __ATOMIC_RELEASE); }

/* Starts all rooms. Returns whether objects can be placed. */
static bool start(void) {
  ek_say_start();
  ek_libc_resolve();
  ek_probe_deletes();
  ek_options_read();
  ek_text_start();
  if (ek_opt.help)
    ek_options_print(stderr);
  if (ek_opt.disable)
    return false;
  ek_seen_start();
  if (ek_seen_on)
    ek_node_keep();
  if (!ek_stack_alloc) /* with preload, stack.c joins once it knows the table */
    ek_node_join();
  ek_state_runs();
  ek_leave_start(last_words, goes_on);
  ek_raw_start();
  if (ek_seen_on)
    ek_ompt_note();
  ek_balance_start();
  ek_sums_start();
  ek_syncs_start();
  ek_counters_start();
  ek_samples_by(ek_object_site);
  ek_samples_start();
  ek_summary_by(ek_ompt_hook_of);
  pthread_atfork(fork_prepare, fork_parent, fork_child);
  read_plan();
  if (!ek_free_is_ours()) {
    ek_count(EK_WHY_not_interposed, 1);
    return false;
  }
  ek_new_places = ek_delete_is_free();
  ek_aligned_new_places = ek_new_places && ek_aligned_delete_is_free();
  ek_provider_start(&(ek_provider_config){
      ek_opt.tiers, ek_plan_now ? ek_plan_now->fast_bytes : 0, ek_pages_table});
  ek_place_start();
  if (ek_arenas_start(ek_stack_alloc != NULL))
    ek_state_small();
  ek_required_start();
  ek_values_start(ek_plan_now);
  ek_totals_start(ek_plan_now);
  if (!ek_share_unknown()) /* else MPI may tell later (hooks/ranks.c) */
    ek_replan_join();
  ek_pass_plan_by(ek_replan);
  ek_log_start(&(ek_log_about){ek_report_provider, ek_report_tiers_text});
  return true;
}

bool (*const ek_start_rooms)(void) = start;

__attribute__((constructor)) static void at_load(void) { ek_start(); }

__attribute__((destructor)) static void at_exit(void) { last_words(); }
