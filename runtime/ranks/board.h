/*===- board.h - what the ranks of a node tell each other ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: under a plan for several ranks, all on this node, one board in shared
 * memory: each rank writes what it took between two collectives, and, when
 * asked, which objects it has. The first rank (number 0) leads: it alone
 * compares and plans again, and lays the plan out for the others, so that all
 * have the same one. A rank that dies ends planning, and nothing else.
 * Leaves out: who gets how much fast memory (share.h holds that account), and
 * what is planned (replan.cpp).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_BOARD_H
#define EVENKEEL_RUNTIME_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* This process writes on a board. */
extern bool ek_board_on;

/* At start, with the account open: "" or why there is no board. The plan is one
 * for \p ranks ranks, and \p plan tells it from others. */
const char *ek_board_open(uint32_t ranks, uint64_t plan);
/* At exit; the last one removes it. */
void ek_board_close(void);
/* In a child of fork: it is no rank. */
void ek_board_forked(void);

bool ek_board_leads(void);
uint32_t ek_board_rank(void);

/* What lies between two collectives is over; it ends step \p step of the plan
 * and took \p ns of this rank, waits left out. One thread at a time. */
void ek_board_tell(size_t step, uint64_t ns, bool new_objects);

/* --- of the leader ---------------------------------------------------------
 */

/* The oldest part that all ranks have told of and that was not taken: its step
 * and the seconds of each rank. False: none. *alike: all ranks ended the same
 * step. */
bool ek_board_take(size_t *step, double *seconds, bool *alike);
/* What was told so far is of no use. */
void ek_board_skip(void);
/* A rank has made objects since it was asked last. */
bool ek_board_news(void);
/* Asks all for their objects, once; whether all have answered. */
void ek_board_ask(void);
bool ek_board_asked(void);
bool ek_board_answered(void);
/* The question is settled. */
void ek_board_asked_enough(void);
/* All follow the last plan, and their pages have moved; or have had long enough
 * for it. */
bool ek_board_all_settled(void);
/* "" or which rank is gone. */
const char *ek_board_lost(void);
/* Another plan lies in ek_board_plan_file(). */
void ek_board_publish(void);

/* --- of the others ---------------------------------------------------------
 */

/* There is a question to answer, or a plan to follow. */
bool ek_board_calls(void);
bool ek_board_has_plan(void);
/* The plan is followed now. */
void ek_board_follow(void);

/* --- of all ----------------------------------------------------------------
 */

typedef struct ek_board_object {
  uint64_t site, context;
  uint32_t creator, ordinal, in_context; /* the creator as the plan counts it */
  double bytes;
  double reached; /* pages in the fast tier over those wanted there */
} ek_board_object;
enum { EK_BOARD_OBJECTS = 4096 };

/* This rank's answer; false: more than fit. */
bool ek_board_answer(const ek_board_object *objects, size_t count);
/* What rank \p rank answered; the number, or SIZE_MAX: they did not fit. */
size_t ek_board_answer_of(uint32_t rank, const ek_board_object **out);
/* Pages that all ranks have moved, and how long that took. */
void ek_board_moves(uint64_t *pages, uint64_t *ns);
/* This rank's pages lie where the plan that it follows wants them. */
void ek_board_settled(void);
/* A private file in shared memory; "" without a board. */
const char *ek_board_plan_file(void);

#ifdef __cplusplus
}
#endif
#endif
