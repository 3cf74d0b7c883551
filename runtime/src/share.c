/*===- share.c - the account in shared memory ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one file in /dev/shm per launch, mode 0600, refused if it is anybody
 * else's or of another version; a slot per process, found again after its death
 * by number and start time. The sum of the slots is what is taken, so that
 * nothing has to be repaired when a process dies in the middle (robust mutex).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "share.h"
#include "extent.h"
#include "options.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "/dev/shm"
#define PREFIX "evenkeel."
enum { SLOTS = 1024 };
static const uint64_t magic = 0x656b2d7368617265; /* "ek-share" */
static const uint32_t version = 1;

typedef struct slot {
  uint64_t pid, start; /* 0: free */
  uint64_t used;
} slot;

typedef struct account {
  uint64_t magic;
  uint32_t version, ready;
  uint64_t capacity;
  uint64_t given; /* grows with everything given back, or found */
  pthread_mutex_t lock;
  slot slots[SLOTS];
} account;

static account *open_account;
static slot *mine;
static bool of_parent; /* nothing is ours (any more) */
static uint64_t seen;
static char path[512];

/* --- whose ------------------------------------------------------------------
 */

static unsigned number(const char *variable) {
  const char *text = secure_getenv(variable);
  return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static bool field_of(pid_t pid, const char *name, char *out, size_t size) {
  char file[64], line[256];
  snprintf(file, sizeof file, "/proc/%ld/status", (long)pid);
  FILE *f = fopen(file, "re");
  bool found = false;
  size_t length = strlen(name);
  while (f && !found && fgets(line, sizeof line, f))
    if (strncmp(line, name, length) == 0 && line[length] == ':') {
      char *value = line + length + 1 + strspn(line + length + 1, " \t");
      value[strcspn(value, "\n")] = 0;
      snprintf(out, size, "%s", value);
      found = true;
    }
  if (f)
    fclose(f);
  return found;
}

/* Of Slurm's list of tasks by node, "4(x2),3", those of node \p node; 0: not
 * said. */
static unsigned slurm_tasks(const char *list, unsigned node) {
  while (list && *list) {
    char *end;
    unsigned long tasks = strtoul(list, &end, 10), nodes = 1;
    if (end == list)
      return 0;
    if (end[0] == '(' && end[1] == 'x') {
      nodes = strtoul(end + 2, &end, 10);
      end += *end == ')';
    }
    if (node < nodes)
      return (unsigned)tasks;
    node -= (unsigned)nodes;
    if (*end != ',')
      return 0;
    list = end + 1;
  }
  return 0;
}

/* What MPI itself said, where no launcher did. */
static struct {
  char name[64];
  unsigned ranks;
} told;

void ek_share_tell(const char *name, unsigned ranks) {
  snprintf(told.name, sizeof told.name, "%s", name);
  told.ranks = ranks;
}

/* Ranks of the launch on this node, by what launchers tell each rank: Open MPI;
 * MPICH's and Intel's; MVAPICH; PALS; Slurm's own. SLURM_NTASKS would be those
 * of all nodes. */
static unsigned local_ranks(void) {
  static const char *const sizes[] = {
      "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
      "MV2_COMM_WORLD_LOCAL_SIZE", "PALS_LOCAL_SIZE", "PMI_LOCAL_SIZE"};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    unsigned ranks = number(sizes[i]);
    if (ranks)
      return ranks;
  }
  const char *tasks = secure_getenv("SLURM_STEP_TASKS_PER_NODE");
  if (!tasks)
    tasks = secure_getenv("SLURM_TASKS_PER_NODE");
  return slurm_tasks(tasks, number("SLURM_NODEID"));
}

/* The process on this node that started all ranks here: MPICH's proxy, which a
 * shell may stand in between of; else the parent. */
static pid_t launcher(void) {
  char text[64];
  pid_t pid = getppid();
  for (int depth = 0; depth < 8 && pid > 1; ++depth) {
    if (!field_of(pid, "Name", text, sizeof text))
      break;
    if (strncmp(text, "hydra_pmi_proxy", 15) == 0 ||
        strncmp(text, "pmi_proxy", 9) == 0)
      return pid;
    if (!field_of(pid, "PPid", text, sizeof text))
      break;
    pid = (pid_t)strtol(text, NULL, 10);
  }
  return getppid();
}

bool ek_share_unknown(void) {
  return strcmp(ek_opt.share, "auto") == 0 && !told.ranks && !local_ranks();
}

const char *ek_share_name(char *out, size_t size, unsigned *ranks) {
  out[0] = 0;
  *ranks = 0;
  if (strcmp(ek_opt.share, "off") == 0)
    return out;
  if (strcmp(ek_opt.share, "auto") != 0) {
    snprintf(out, size, "%s", ek_opt.share);
  } else if (told.ranks) {
    *ranks = told.ranks;
    snprintf(out, size, "%s", told.name);
  } else {
    *ranks = local_ranks();
    if (*ranks < 2)
      return out;
    const char *job = secure_getenv("PMIX_NAMESPACE");
    const char *step = secure_getenv("SLURM_STEP_ID");
    if (job)
      snprintf(out, size, "pmix-%s", job);
    else if (step && secure_getenv("SLURM_JOB_ID"))
      snprintf(out, size, "slurm-%s.%s", secure_getenv("SLURM_JOB_ID"), step);
    else
      snprintf(out, size, "parent-%ld", (long)launcher());
  }
  for (char *c = out; *c; ++c)
    if (*c == '/' || *c < ' ')
      *c = '_';
  return out;
}

uint64_t ek_process_start(uint64_t pid) {
  char file[64], line[1024];
  snprintf(file, sizeof file, "/proc/%llu/stat", (unsigned long long)pid);
  FILE *f = fopen(file, "re");
  if (!f)
    return 0;
  size_t n = fread(line, 1, sizeof line - 1, f);
  fclose(f);
  line[n] = 0;
  char *p = strrchr(line, ')'); /* field 2, which may hold anything */
  for (unsigned field = 2; p && field < 22; ++field)
    p = strchr(p + 1, ' ');
  return p ? strtoull(p, NULL, 10) : 0;
}

bool ek_process_lives(uint64_t pid, uint64_t since) {
  char state[16];
  if (kill((pid_t)pid, 0) != 0 && errno == ESRCH)
    return false;
  if (field_of((pid_t)pid, "State", state, sizeof state) &&
      (state[0] == 'Z' || state[0] == 'X'))
    return false; /* its parent has not looked yet */
  uint64_t start = ek_process_start(pid);
  return !start || start == since;
}

/* --- the account
 * --------------------------------------------------------------
 */

static void lock(account *a) {
  if (pthread_mutex_lock(&a->lock) == EOWNERDEAD)
    pthread_mutex_consistent(&a->lock);
}

static void unlock(account *a) { pthread_mutex_unlock(&a->lock); }

static uint64_t taken(const account *a) {
  uint64_t sum = 0;
  for (size_t i = 0; i < SLOTS; ++i)
    sum += a->slots[i].pid ? a->slots[i].used : 0;
  return sum;
}

/* Slots of the dead; returns how many live. */
static size_t reap(account *a) {
  size_t alive = 0;
  for (size_t i = 0; i < SLOTS; ++i) {
    slot *s = &a->slots[i];
    if (!s->pid)
      continue;
    if (ek_process_lives(s->pid, s->start)) {
      ++alive;
      continue;
    }
    __atomic_fetch_add(&a->given, s->used, __ATOMIC_RELAXED);
    memset(s, 0, sizeof *s);
  }
  return alive;
}

static bool is_ours(int fd) {
  struct stat st;
  return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
         !(st.st_mode & 077);
}

/* Nobody holds it for long, unless the machine is: on one with more to do than
 * cores, a second is too short. If somebody stopped does, we go without. */
static bool lock_file(int fd) {
  for (int tries = 0; tries < 8000; ++tries) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
      return true;
    if (errno != EWOULDBLOCK && errno != EINTR)
      return false;
    usleep(1000);
  }
  return false;
}

/* A mapping keeps the file open, and with it the lock: close() alone does not
 * end it. */
static void let_go(int fd) {
  flock(fd, LOCK_UN);
  close(fd);
}

int ek_share_file(const char *file, bool create) {
  for (;;) {
    int fd = open(
        file, O_RDWR | O_NOFOLLOW | O_CLOEXEC | (create ? O_CREAT : 0), 0600);
    struct stat st;
    if (fd < 0)
      return -1;
    if (!is_ours(fd) || !lock_file(fd) || fstat(fd, &st) != 0) {
      close(fd);
      return -1;
    }
    if (st.st_nlink)
      return fd;
    close(fd); /* removed meanwhile */
    if (!create)
      return -1;
  }
}

/* The file, locked (flock) against others who open or remove it; *fd -1 if it
 * cannot be had. */
static account *attach(const char *file, bool create, int *fd) {
  struct stat st;
  *fd = ek_share_file(file, create);
  if (*fd < 0)
    return NULL;
  bool fits = fstat(*fd, &st) == 0 && st.st_size == (off_t)sizeof(account);
  if (fits ||
      (!st.st_size && create && ftruncate(*fd, (off_t)sizeof(account)) == 0)) {
    account *a =
        mmap(NULL, sizeof *a, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (a != MAP_FAILED)
      return a;
  }
  let_go(*fd);
  *fd = -1;
  return NULL;
}

static bool make(account *a, uint64_t capacity) {
  pthread_mutexattr_t attributes;
  if (pthread_mutexattr_init(&attributes) != 0)
    return false;
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  bool ok = pthread_mutex_init(&a->lock, &attributes) == 0;
  pthread_mutexattr_destroy(&attributes);
  a->magic = magic;
  a->version = version;
  a->capacity = capacity;
  a->ready = ok;
  return ok;
}

static bool usable(const account *a) {
  return a->magic == magic && a->version == version && a->ready;
}

void ek_share_sweep(const char *prefix,
                    bool (*dead)(int fd, size_t size, const char *rest)) {
  char own[64];
  int length = snprintf(own, sizeof own, "%s.%u.", prefix, (unsigned)geteuid());
  DIR *d = opendir(FOLDER);
  if (!d)
    return;
  for (struct dirent *e; (e = readdir(d));) {
    if (strncmp(e->d_name, own, (size_t)length) != 0)
      continue;
    char file[512];
    struct stat st;
    snprintf(file, sizeof file, FOLDER "/%s", e->d_name);
    int fd = ek_share_file(file, false);
    if (fd < 0)
      continue;
    if (fstat(fd, &st) == 0 && dead(fd, (size_t)st.st_size, e->d_name + length))
      unlink(file);
    let_go(fd);
  }
  closedir(d);
}

/* The account of a launch that died as a whole. */
static bool is_dead(int fd, size_t size, const char *rest) {
  (void)rest;
  account *a = size == sizeof *a ? mmap(NULL, sizeof *a, PROT_READ | PROT_WRITE,
                                        MAP_SHARED, fd, 0)
                                 : MAP_FAILED;
  bool dead = false;
  if (a == MAP_FAILED)
    return false;
  if (usable(a)) {
    lock(a);
    dead = reap(a) == 0;
    unlock(a);
  }
  munmap(a, sizeof *a);
  return dead;
}

uint64_t ek_share_open(const char *name, uint64_t capacity) {
  int fd;
  ek_share_sweep("evenkeel", is_dead);
  snprintf(path, sizeof path, FOLDER "/" PREFIX "%u.%s", (unsigned)geteuid(),
           name);
  account *a = attach(path, true, &fd);
  if (!a)
    return 0;
  bool is_new = a->magic == 0;
  bool ok = is_new ? make(a, capacity) : usable(a);
  if (ok) {
    lock(a);
    reap(a);
    for (size_t i = 0; i < SLOTS && !mine; ++i)
      if (!a->slots[i].pid)
        mine = &a->slots[i];
    if (mine)
      *mine =
          (slot){(uint64_t)getpid(), ek_process_start((uint64_t)getpid()), 0};
    unlock(a);
  }
  let_go(fd);
  if (!ok || !mine) {
    munmap(a, sizeof *a);
    return 0;
  }
  open_account = a;
  return a->capacity;
}

bool ek_share_is_open(void) { return open_account != NULL; }

void ek_share_close(void) {
  if (!open_account || of_parent)
    return;
  int fd;
  account *a = open_account, *again = attach(path, false, &fd);
  of_parent = true; /* other threads may still run: they get nothing more */
  lock(a);
  __atomic_fetch_add(&a->given, mine->used, __ATOMIC_RELAXED);
  memset(mine, 0, sizeof *mine);
  bool last = reap(a) == 0;
  unlock(a);
  if (again) {
    if (last)
      unlink(path);
    munmap(again, sizeof *again);
    let_go(fd);
  }
}

size_t ek_share_take(size_t bytes) {
  account *a = open_account;
  if (!a || !bytes)
    return bytes;
  if (of_parent)
    return 0;
  lock(a);
  uint64_t now = taken(a);
  if (now + bytes > a->capacity) {
    reap(a);
    now = taken(a);
  }
  uint64_t left = a->capacity > now ? a->capacity - now : 0;
  left &= ~(uint64_t)(EK_PAGE_BYTES - 1);
  if (bytes > left)
    bytes = (size_t)left;
  mine->used += bytes;
  unlock(a);
  return bytes;
}

void ek_share_take_anyway(size_t bytes) {
  account *a = open_account;
  if (!a || of_parent || !bytes)
    return;
  lock(a);
  mine->used += bytes;
  unlock(a);
}

void ek_share_give(size_t bytes) {
  account *a = open_account;
  if (!a || of_parent || !bytes)
    return;
  lock(a);
  mine->used -= bytes < mine->used ? bytes : mine->used;
  __atomic_fetch_add(&a->given, bytes, __ATOMIC_RELAXED);
  __atomic_fetch_add(&seen, bytes, __ATOMIC_RELAXED); /* no news to us */
  unlock(a);
}

bool ek_share_news(void) {
  if (!open_account)
    return false;
  uint64_t given = __atomic_load_n(&open_account->given, __ATOMIC_RELAXED);
  return __atomic_exchange_n(&seen, given, __ATOMIC_RELAXED) != given;
}

void ek_share_forked(void) { of_parent = open_account != NULL; }
