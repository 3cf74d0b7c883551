/*===- events.h - the one table of events -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what the rooms tell (events.def), in plain values, and who listens.
 * For each event there are
 *   ek_tell_NAME(..): tells all listeners, in the order in which they came;
 *   ek_hears(NAME): whether there are any, for those who prepare values;
 *   ek_listen_NAME(f): f hears it from now on; while the runtime starts.
 * Without listeners an event costs a load.
 * Leaves out: what listeners make of it (observe/).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_EVENTS_H
#define EVENKEEL_RUNTIME_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An object, at the moment it is told of. */
typedef struct ek_told {
  uint64_t site, context; /* context 0: none */
  uintptr_t base;
  size_t bytes, peak_bytes;
  uint32_t creator, ordinal, in_context, alloc_phase;
  uint32_t fast_pages, slow_pages, short_pages;
} ek_told;

/* A region that a thread has executed once. */
typedef struct ek_ran {
  uint64_t region, ns;
  uint32_t thread, phase;
  uint32_t hooks; /* of teams, passed inside */
  bool explicit_task;
  const uint64_t *counts; /* of the processor (counters.h) */
} ek_ran;

typedef enum ek_sync_kind {
  EK_SYNC_JOIN,
  EK_SYNC_BARRIER,
  EK_SYNC_WORKSHARE, /* the end of a loop, sections or single */
  EK_SYNC_TASKWAIT,
  EK_SYNC_TASKGROUP,
  EK_SYNC_CALL /* of MPI */
} ek_sync_kind;

typedef enum ek_library { EK_SEES_OPENMP, EK_SEES_MPI } ek_library;

enum { EK_MOST_LISTENERS = 3 };

typedef struct ek_listeners {
#define EK_EVENT(name, parameters, arguments)                                  \
  void(*name[EK_MOST_LISTENERS + 1]) parameters; /* NULL ends them */
#include "core/events.def"
#undef EK_EVENT
} ek_listeners;
extern ek_listeners ek_listening;

#define EK_EVENT(name, parameters, arguments)                                  \
  void ek_listen_##name(void(*listener) parameters);                           \
  static inline void ek_tell_##name parameters {                               \
    for (unsigned i = 0; ek_listening.name[i]; ++i)                            \
      ek_listening.name[i] arguments;                                          \
  }
#include "core/events.def"
#undef EK_EVENT

#define ek_hears(name) (ek_listening.name[0] != NULL)

#ifdef __cplusplus
}
#endif
#endif
