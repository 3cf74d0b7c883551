#define NAME first
#include "kernel.inc"
