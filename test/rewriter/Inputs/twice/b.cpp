#define NAME second
#include "kernel.inc"
