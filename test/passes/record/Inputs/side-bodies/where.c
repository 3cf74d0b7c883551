/* Not recorded: from where in the program it is called. */
void *calledFrom(void) { return __builtin_return_address(0); }
