/*===- board.h - shared state of the ranks of a node --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a plan for several ranks, all on this node, comes with a board in
 * shared memory. Each rank writes its time between two collectives there and,
 * on request, its objects. The first rank (number 0) leads: it alone compares
 * times and plans again, and publishes the plan, so that all ranks have the
 * same one. If a rank dies, planning again ends and nothing else.
 * Not here: the shares of fast memory (share.h has that account), and the
 * planning (replan.cpp).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_BOARD_H
#define EVENKEEL_RUNTIME_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this process uses a board. */
extern bool ek_board_on;

/* Opens the board at start, after the account. Returns "", or why there is no
 * board. \p ranks is the plan's number of ranks, \p plan its identity. */
const char *ek_board_open(uint32_t ranks, uint64_t plan);
/* At exit; the last rank removes the board. */
void ek_board_close(void);
/* In a forked child, which is not a rank. */
void ek_board_forked(void);

bool ek_board_leads(void);
uint32_t ek_board_rank(void);

/* Reports an interval between two collectives: it ended with step \p step of
 * the plan and took this rank \p ns nanoseconds without waiting. Callers
 * serialize. */
void ek_board_tell(size_t step, uint64_t ns, bool new_objects);

/* --- for the leader ----------------------------------------------------------
 */

/* Takes the oldest interval that all ranks have reported: its step and each
 * rank's seconds. *alike: all ranks ended the same step. Returns false if there
 * is none. */
bool ek_board_take(size_t *step, double *seconds, bool *alike);
/* Discards everything reported so far. */
void ek_board_skip(void);
/* Whether a rank has allocated objects since it was last asked. */
bool ek_board_news(void);
/* Asks all ranks for their objects; whether it has asked; whether all have
 * answered. */
void ek_board_ask(void);
bool ek_board_asked(void);
bool ek_board_answered(void);
/* Ends the question. */
void ek_board_asked_enough(void);
/* Whether all ranks follow the last plan and have moved their pages, or have
 * had enough time to. */
bool ek_board_all_settled(void);
/* "", or a line that says which rank is gone. */
const char *ek_board_lost(void);
/* Announces the plan in ek_board_plan_file(). */
void ek_board_publish(void);

/* --- for the other ranks -----------------------------------------------------
 */

/* Whether there is a question to answer or a plan to follow; whether there is a
 * plan. */
bool ek_board_calls(void);
bool ek_board_has_plan(void);
/* This rank now follows the plan. */
void ek_board_follow(void);

/* --- for all ranks -----------------------------------------------------------
 */

typedef struct ek_board_object {
  uint64_t site, context;
  uint32_t creator, ordinal, in_context; /* creator in the plan's numbering */
  double bytes;
  double reached; /* fraction of its wanted fast pages that are fast */
} ek_board_object;
enum { EK_BOARD_OBJECTS = 4096 };

/* Answers for this rank. Returns false if the objects do not fit. */
bool ek_board_answer(const ek_board_object *objects, size_t count);
/* Sets *out to the answer of rank \p rank, in shared memory. Returns the number
 * of objects, or SIZE_MAX if they did not fit. */
size_t ek_board_answer_of(uint32_t rank, const ek_board_object **out);
/* The pages that all ranks have moved, and the time that took. */
void ek_board_moves(uint64_t *pages, uint64_t *ns);
/* This rank's pages lie where the plan that it follows wants them. */
void ek_board_settled(void);
/* The path of a private file in shared memory; "" without a board. */
const char *ek_board_plan_file(void);

#ifdef __cplusplus
}
#endif
#endif
