/*===- share.h - one fast tier for all ranks of a node ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: processes that one launcher started on this node take the fast tier
 * from one account, in shared memory that only their user can read. What a rank
 * held that died is found when somebody needs it.
 * Leaves out: which rank gets how much; plans say that.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SHARE_H
#define EVENKEEL_RUNTIME_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The account of this launch, by EVENKEEL_SHARE or the launcher's variables;
 * "" if there is none. *ranks: how many of it are on this node, 0: unknown. */
const char *ek_share_name(char *out, size_t size, unsigned *ranks);

/* Neither option nor launcher says which processes are its ranks here. */
bool ek_share_unknown(void);
/* Then: the name that all of them have, and how many they are. Once, while no
 * other thread asks for objects. */
void ek_share_tell(const char *name, unsigned ranks);

/* A file in /dev/shm for the ranks, locked (flock) against others who ask for
 * it: private to the user, or refused. -1: cannot be had, at the latest after
 * two seconds. */
int ek_share_file(const char *file, bool create);
/* Gives the file \p bytes, which are there whatever others take. */
bool ek_share_room(int fd, size_t bytes);
/* Removes those files of the user in /dev/shm whose name is \p prefix, a dot,
 * the user's number, a dot and more (\p rest), of which \p dead says that
 * nobody is left: it gets each one, locked. */
void ek_share_sweep(const char *prefix,
                    bool (*dead)(int fd, size_t size, const char *rest));
/* When a process started; 0: unknown. And whether that one still lives. */
uint64_t ek_process_start(uint64_t pid);
bool ek_process_lives(uint64_t pid, uint64_t since);

/* Opens the account, or makes it with \p capacity bytes. Returns its capacity,
 * 0 on failure. Once per process. */
uint64_t ek_share_open(const char *name, uint64_t capacity);
/* Gives everything back; the last one removes the account. */
void ek_share_close(void);
bool ek_share_is_open(void);

/* Takes up to \p bytes, whole pages; all of them without an account.
 * Thread-safe, as all of these. */
size_t ek_share_take(size_t bytes);
/* Takes them whatever is left. */
void ek_share_take_anyway(size_t bytes);
void ek_share_give(size_t bytes);
/* Whether others have given something back since this was asked last. */
bool ek_share_news(void);
/* The account's lock (pthread_mutex_t), to hold it too long. */
void *ek_share_lock_for_tests(void);
/* In a child: what it holds is its parent's, and it gets no more. */
void ek_share_forked(void);

#ifdef __cplusplus
}
#endif
#endif
