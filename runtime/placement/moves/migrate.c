/*===- migrate.c - the migration thread ---------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See migrate.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "placement/moves/migrate.h"
#include "core/options.h"
#include "core/stats.h"
#include "placement/moves/batch.h"
#include "placement/moves/pass.h"
#include "providers/provider.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* Only one pass runs at a time, the helper's or a hook's. */
static pthread_mutex_t pass_lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
  pthread_t thread;
  sem_t wake;
  bool runs, failed;
  int asked;
  pid_t owner; /* a child of fork has no helper */
} helper;

static bool on_helper(void) {
  return helper.runs && pthread_equal(pthread_self(), helper.thread);
}

void ek_migrate_pass(void) {
  if (pthread_mutex_trylock(&pass_lock) != 0)
    return;
  ek_pass_run(on_helper());
  pthread_mutex_unlock(&pass_lock);
}

/* --- the helper thread -------------------------------------------------------
 */

static void *help(void *unused) {
  (void)unused;
  for (;;) {
    while (sem_wait(&helper.wake) != 0)
      ;
    if (__atomic_load_n(&ek_batch_stop, __ATOMIC_ACQUIRE))
      return NULL;
    pthread_mutex_lock(&pass_lock);
    __atomic_store_n(&helper.asked, 0, __ATOMIC_RELEASE);
    ek_pass_run(true);
    pthread_mutex_unlock(&pass_lock);
  }
}

void ek_migrate_wait(void) {
  bool more = true;
  while (more) {
    pthread_mutex_lock(&pass_lock);
    more = __atomic_load_n(&helper.asked, __ATOMIC_ACQUIRE);
    pthread_mutex_unlock(&pass_lock);
    if (more)
      sched_yield();
  }
}

/* Starts the helper with all signals blocked: it must not run the program's
 * handlers. It inherits the affinity of the thread that starts it. */
static bool start_new(void) {
  helper.owner = getpid();
  helper.runs = false;
  ek_batch_stop = helper.asked = 0;
  if (sem_init(&helper.wake, 0, 0) != 0)
    return false;
  pthread_attr_t attributes;
  sigset_t all, before;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  helper.runs = pthread_create(&helper.thread, &attributes, help, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (helper.runs)
    pthread_setname_np(helper.thread, "evenkeel-move");
  else
    ek_count(EK_WHY_no_helper, 1);
  return helper.runs;
}

static bool start_helper(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  bool runs = helper.owner == getpid() ? helper.runs : start_new();
  pthread_mutex_unlock(&lock);
  return runs;
}

void ek_migrate_at_hook(void) {
  uint64_t start = ek_batch_ns();
  /* There is no provider if nothing can be placed (start() in start.c). */
  if (!ek_provider_now) {
    __atomic_store_n(&ek_migrate_pending, 0, __ATOMIC_RELAXED);
    return;
  }
  int saved = errno;
  if (ek_provider_now->moves_at_once || !ek_opt.helper || !start_helper())
    ek_migrate_pass();
  else if (!__atomic_exchange_n(&helper.asked, 1, __ATOMIC_ACQ_REL))
    sem_post(&helper.wake);
  errno = saved;
  ek_add(hook_ns, ek_batch_ns() - start);
}

void ek_migrate_stop(void) {
  if (!helper.runs || helper.owner != getpid() ||
      pthread_equal(pthread_self(), helper.thread))
    return;
  __atomic_store_n(&ek_batch_stop, 1, __ATOMIC_RELEASE);
  sem_post(&helper.wake);
  pthread_join(helper.thread, NULL);
  helper.runs = false;
}

void ek_migrate_forked(void) {
  ek_moving_forked();
  helper.runs = false;
  helper.owner = 0;
  ek_batch_stop = 0;
  pthread_mutex_init(&pass_lock, NULL);
}
