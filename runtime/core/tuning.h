/*===- tuning.h - the runtime's chosen figures by name ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the rows of tuning.def, each as a constant.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TUNING_H
#define EVENKEEL_RUNTIME_TUNING_H

#ifdef __cplusplus
#define EK_FIGURE(name, value, ...) constexpr double name = value;
#else
#define EK_FIGURE(name, value, ...) static const double name = value;
#endif
#define EK_WHOLE(name, value, ...) enum { name = value };
#include "core/tuning.def"
#undef EK_FIGURE
#undef EK_WHOLE

#endif
