/* ek_input.h - what a recorded program's file says about its input
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the text that the pass leaves in the code of a program built for
 * recording for each environment variable that it reads: this mark and the
 * variable's name. `evenkeel record` searches the file for it.
 */
#ifndef EVENKEEL_PROFILES_FORMAT_INPUTS_EK_INPUT_H
#define EVENKEEL_PROFILES_FORMAT_INPUTS_EK_INPUT_H

#define EK_ENVIRONMENT_MARK "evenkeel.reads-variable:"

#endif
