/*===- share.h - one fast tier for all ranks of a node ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: processes that one launcher started on this node take the fast tier
 * from one account, in shared memory that only their user can read. The memory
 * of a dead rank is reclaimed when another rank needs it.
 * Not here: how much each rank gets; plans decide that.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SHARE_H
#define EVENKEEL_RUNTIME_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The name of this launch's account, from EVENKEEL_SHARE or the launcher's
 * variables; "" if there is none. Sets *ranks to the launch's ranks on this
 * node, 0: unknown. Returns \p out. */
const char *ek_share_name(char *out, size_t size, unsigned *ranks);

/* Whether neither the option nor the launcher says which ranks run here. */
bool ek_share_unknown(void);
/* For that case: sets the name, the same in all ranks, and their number. Called
 * once, while no other thread allocates objects. */
void ek_share_tell(const char *name, unsigned ranks);

/* Opens a file in /dev/shm for the ranks and locks it (flock) against others
 * that open it. It must be private to the user. Returns a descriptor, or -1,
 * after two seconds at most. */
int ek_share_file(const char *file, bool create);
/* Allocates \p bytes for the file, so that using them cannot fail later.
 * Returns false if that is impossible. */
bool ek_share_room(int fd, size_t bytes);
/* Removes files of this user in /dev/shm with names \p prefix.UID.rest, if
 * \p dead says that no process uses them. It gets each file open and locked,
 * and \p rest. */
void ek_share_sweep(const char *prefix,
                    bool (*dead)(int fd, size_t size, const char *rest));
/* The start time of a process, 0: unknown; and whether the process that started
 * then is still alive. */
uint64_t ek_process_start(uint64_t pid);
bool ek_process_lives(uint64_t pid, uint64_t since);

/* Opens the account, or creates it with \p capacity bytes. Returns its capacity
 * in bytes, or 0 on failure. Once per process. */
uint64_t ek_share_open(const char *name, uint64_t capacity);
/* Gives back everything this process took; the last process removes the
 * account. */
void ek_share_close(void);
bool ek_share_is_open(void);

/* Takes up to \p bytes, in whole pages, and returns how many; without an
 * account, all of them. All functions below are thread-safe. */
size_t ek_share_take(size_t bytes);
/* Takes the bytes even if the account is exhausted. */
void ek_share_take_anyway(size_t bytes);
void ek_share_give(size_t bytes);
/* Whether other processes gave back memory since the last call. */
bool ek_share_news(void);
/* The account's lock (a pthread_mutex_t), for a test that holds it too long. */
void *ek_share_lock_for_tests(void);
/* In a forked child: what was taken belongs to the parent, and the child can
 * take no more. */
void ek_share_forked(void);

#ifdef __cplusplus
}
#endif
#endif
