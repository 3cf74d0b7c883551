static double shared[10000];
extern double elsewhere[10000];
