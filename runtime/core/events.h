/*===- events.h - the one table of events -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the events that rooms report (events.def), as plain values, and their
 * listeners. For each event there are
 *   ek_tell_NAME(..): calls all listeners, in the order of registration;
 *   ek_hears(NAME): whether there are listeners, to skip preparing values;
 *   ek_listen_NAME(f): registers f; only while the runtime starts.
 * An event without listeners costs one load.
 * Not here: what listeners do with an event (observe/).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_EVENTS_H
#define EVENKEEL_RUNTIME_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The state of an object when an event reports it. */
typedef struct ek_told {
  uint64_t site, context; /* context 0: none */
  uintptr_t base;
  size_t bytes, peak_bytes;
  uint32_t creator, ordinal, in_context, alloc_phase;
  uint32_t fast_pages, slow_pages, short_pages;
} ek_told;

/* One execution of a region by one thread. */
typedef struct ek_ran {
  uint64_t region, ns;
  uint32_t thread, phase;
  uint32_t hooks; /* team hooks that were passed inside */
  bool explicit_task;
  const uint64_t *counts; /* the processor's events (counters.h) */
} ek_ran;

/* Chunks [from, to) of an object, and the shares of them in the fast tier. */
typedef struct ek_decided {
  uint64_t site, creator;
  uint32_t ordinal;
  unsigned from, to;
  double was, share;
} ek_decided;

typedef enum ek_sync_kind {
  EK_SYNC_JOIN,
  EK_SYNC_BARRIER,
  EK_SYNC_WORKSHARE, /* the end of a loop, sections or single */
  EK_SYNC_TASKWAIT,
  EK_SYNC_TASKGROUP,
  EK_SYNC_CALL /* of MPI */
} ek_sync_kind;

typedef enum ek_library { EK_SEES_OPENMP, EK_SEES_MPI } ek_library;

enum { EK_MOST_LISTENERS = 4 };

typedef struct ek_listeners {
#define EK_EVENT(name, parameters, arguments)                                  \
  void(*name[EK_MOST_LISTENERS + 1]) parameters; /* NULL-terminated */
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
