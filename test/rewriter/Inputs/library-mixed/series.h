#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct {
  double *d;
  int n;
} series;
struct node {
  struct node *next;
  double *v;
};
extern double *global_block;
void fill(series *s, int n);
void drop(series *s);
struct node *push(struct node *head, int n);
#ifdef __cplusplus
}
#endif
