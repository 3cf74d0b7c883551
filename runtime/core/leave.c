/*===- leave.c - ends of a process that run no destructors --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Part of libevenkeel and libevenkeel-record: intercepts _exit, _Exit and exec,
 * so that programs which end through them leave a summary and a record. Only in
 * the process that was started: a child of vfork shares its parent's memory,
 * and a child of fork calls _exit because it is to leave nothing.
 * Signal handlers may call these functions but not the code that we run before
 * them. So that code runs under a watchdog: if it crashes or hangs, it is
 * abandoned and the process ends as it would without us.
 * Not here: exits by system call, and exits inside the C library (daemon, which
 * the recorder intercepts: Ending.cpp).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#undef _FORTIFY_SOURCE /* longjmp between stacks is intended */
#include "core/leave.h"
#include "core/tuning.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

extern char **environ;

static pid_t owner;  /* the process that started the runtime; 0: not yet */
static pid_t writer; /* the thread that writes the last words; 0: none */
static void (*last_words)(void), (*goes_on)(void);

/* --- the watchdog ------------------------------------------------------------
 */

/* The timer fires each second. It abandons the writer after EK_STUCK_S or
 * EK_LONGEST_END_S. */
enum { STACK = 1 << 20 };
static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM};
enum { FATAL = sizeof fatal / sizeof *fatal };

static struct {
  sigjmp_buf out;
  timer_t timer;
  int64_t ns;
  int looks, still;
  ucontext_t back, there;
} watch;

static int64_t own_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void give_up(int signal, siginfo_t *info, void *context) {
  (void)context;
  if (signal == SIGALRM) {
    if (info->si_code != SI_TIMER || info->si_value.sival_ptr != &watch)
      return; /* the program sent or requested this signal */
    int64_t now = own_ns();
    watch.still = now - watch.ns < 1000000 ? watch.still + 1 : 0;
    watch.ns = now;
    if (++watch.looks < EK_LONGEST_END_S && watch.still < EK_STUCK_S)
      return;
  }
  if (syscall(SYS_gettid) == writer)
    siglongjmp(watch.out, 1);
}

static bool start_timer(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                           .sigev_signo = SIGALRM,
                           .sigev_value.sival_ptr = &watch};
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif
  event.sigev_notify_thread_id = writer;
  struct itimerspec each = {{1, 0}, {1, 0}};
  return timer_create(CLOCK_MONOTONIC, &event, &watch.timer) == 0 &&
         timer_settime(watch.timer, 0, &each, NULL) == 0;
}

/* Uses a stack of its own: a signal handler's may have only a few KiB. */
static void run_last_words(void) {
  void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED || getcontext(&watch.there) != 0) {
    last_words();
    return;
  }
  watch.there.uc_stack.ss_sp = stack;
  watch.there.uc_stack.ss_size = STACK;
  watch.there.uc_link = &watch.back;
  makecontext(&watch.there, last_words, 0);
  swapcontext(&watch.back, &watch.there);
}

/* Blocks all other signals, such as a launcher's SIGTERM after MPI_Abort.
 * Returns false if the last words were abandoned. */
static bool run_under_watchdog(void) {
  struct sigaction act = {.sa_flags = SA_SIGINFO | SA_NODEFER}, old[FATAL];
  act.sa_sigaction = give_up;
  sigset_t mask, before;
  sigfillset(&mask);
  for (int i = 0; i < FATAL; ++i)
    sigdelset(&mask, fatal[i]);
  pthread_sigmask(SIG_SETMASK, &mask, &before);
  watch.looks = watch.still = 0;
  watch.ns = own_ns();
  for (int i = 0; i < FATAL; ++i)
    sigaction(fatal[i], &act, &old[i]);
  bool timed = start_timer(), done = false;
  if (!sigsetjmp(watch.out, 0)) {
    run_last_words();
    done = true;
  }
  if (timed)
    timer_delete(watch.timer);
  for (int i = 0; i < FATAL; ++i)
    sigaction(fatal[i], &old[i], NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return done;
}

bool ek_leave_words(void) {
  if (!owner || owner != getpid())
    return true;
  pid_t self = (pid_t)syscall(SYS_gettid), nobody = 0;
  if (!__atomic_compare_exchange_n(&writer, &nobody, self, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    /* The writer itself, in a signal handler, returns at once; other threads
     * wait until it is done. */
    struct timespec moment = {0, 10000000};
    for (int i = 0; nobody != self && i < EK_LONGEST_END_S * 100 &&
                    __atomic_load_n(&writer, __ATOMIC_ACQUIRE);
         ++i)
      nanosleep(&moment, NULL);
    return true;
  }
  int saved = errno;
  bool done = run_under_watchdog();
  errno = saved;
  __atomic_store_n(&writer, 0, __ATOMIC_RELEASE);
  return done;
}

/* The functions we intercept. Looked up at start, because the calls come from
 * signal handlers and from children that share the parent's memory. */
static struct {
  void (*_exit)(int), (*_Exit)(int);
  __typeof(&execve) execve;
  __typeof(&execvpe) execvpe;
  __typeof(&fexecve) fexecve;
} next;

#define FIND(name)                                                             \
  do {                                                                         \
    if (!next.name)                                                            \
      next.name = (__typeof(next.name))(uintptr_t)dlsym(RTLD_NEXT, #name);     \
  } while (0)

static void quick(void) { last_words(); }

void ek_leave_start(void (*words)(void), void (*stays)(void)) {
  last_words = words;
  goes_on = stays;
  FIND(_exit);
  FIND(_Exit);
  FIND(execve);
  FIND(execvpe);
  FIND(fexecve);
  owner = getpid();
  at_quick_exit(quick);
}

/* --- _exit -------------------------------------------------------------------
 */

static _Noreturn void leave(void (*end)(int), int status) {
  ek_leave_words();
  if (end)
    end(status);
  for (;;)
    syscall(SYS_exit_group, status);
}

EXPORT void _exit(int status) { leave(next._exit, status); }
EXPORT void _Exit(int status) { leave(next._Exit, status); }

/* --- exec --------------------------------------------------------------------
 * The last words are written only if the exec looks as if it will succeed. If
 * it fails after all, the program continues and may have more to write later.
 */

static bool runs(int folder, const char *path, int flags) {
  struct stat st;
  return fstatat(folder, path, &st, flags & AT_EMPTY_PATH) == 0 &&
         S_ISREG(st.st_mode) && faccessat(folder, path, X_OK, AT_EACCESS) == 0;
}

/* Searches PATH as execvp does. */
static bool is_found(const char *name) {
  if (strchr(name, '/'))
    return runs(AT_FDCWD, name, 0);
  const char *at = getenv("PATH");
  char path[4096];
  for (at = at ? at : "/bin:/usr/bin"; name[0]; ++at) {
    size_t n = strcspn(at, ":");
    if (snprintf(path, sizeof path, "%.*s%s%s", (int)n, at, n ? "/" : "",
                 name) < (int)sizeof path &&
        runs(AT_FDCWD, path, 0))
      return true;
    at += n;
    if (!*at)
      break;
  }
  return false;
}

/* Runs after an exec that failed. */
static int after_failed_exec(int result, bool said) {
  int saved = errno;
  if (said)
    goes_on();
  errno = saved;
  return result;
}

static bool say_if_leaving(bool leaves) {
  if (!leaves || !owner || owner != getpid())
    return false;
  ek_leave_words();
  return true;
}

EXPORT int execve(const char *path, char *const argv[], char *const env[]) {
  bool said = say_if_leaving(runs(AT_FDCWD, path, 0));
  FIND(execve);
  return after_failed_exec(next.execve(path, argv, env), said);
}
EXPORT int execv(const char *path, char *const argv[]) {
  bool said = say_if_leaving(runs(AT_FDCWD, path, 0));
  FIND(execve);
  return after_failed_exec(next.execve(path, argv, environ), said);
}
EXPORT int execvpe(const char *name, char *const argv[], char *const env[]) {
  bool said = say_if_leaving(is_found(name));
  FIND(execvpe);
  return after_failed_exec(next.execvpe(name, argv, env), said);
}
EXPORT int execvp(const char *name, char *const argv[]) {
  bool said = say_if_leaving(is_found(name));
  FIND(execvpe);
  return after_failed_exec(next.execvpe(name, argv, environ), said);
}
EXPORT int fexecve(int fd, char *const argv[], char *const env[]) {
  struct stat st;
  bool said = say_if_leaving(fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
                             st.st_mode & 0111);
  FIND(fexecve);
  return after_failed_exec(next.fexecve(fd, argv, env), said);
}
EXPORT int execveat(int folder, const char *path, char *const argv[],
                    char *const env[], int flags) {
  bool said = say_if_leaving(path[0] ? runs(folder, path, flags) : true);
  return after_failed_exec(
      (int)syscall(SYS_execveat, folder, path, argv, env, flags), said);
}

/* Copies a NULL-terminated argument list to argv; execle has the environment
 * after it. */
#define LIST(first)                                                            \
  va_list list;                                                                \
  int count = first != NULL;                                                   \
  va_start(list, first);                                                       \
  while (first && va_arg(list, char *))                                        \
    ++count;                                                                   \
  va_end(list);                                                                \
  char *argv[count + 1];                                                       \
  va_start(list, first);                                                       \
  argv[0] = (char *)(uintptr_t)first;                                          \
  for (int i = 1; i <= count; ++i)                                             \
  argv[i] = va_arg(list, char *)

EXPORT int execl(const char *path, const char *first, ...) {
  LIST(first);
  va_end(list);
  return execv(path, argv);
}
EXPORT int execlp(const char *name, const char *first, ...) {
  LIST(first);
  va_end(list);
  return execvp(name, argv);
}
EXPORT int execle(const char *path, const char *first, ...) {
  LIST(first);
  char *const *env = va_arg(list, char *const *);
  va_end(list);
  return execve(path, argv, env);
}
