#include "series.h"
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>
void drop(series *s) {
  std::free(s->d);
  s->d = nullptr;
  free(global_block);
}
template <class T> struct Buffer {
  T *p;
  explicit Buffer(size_t n) : p(static_cast<T *>(malloc(n * sizeof(T)))) {}
  ~Buffer() { free(p); }
  Buffer(Buffer &&o) : p(std::exchange(o.p, nullptr)) {}
};
struct Base {
  virtual void done(void *p) = 0;
  virtual ~Base() {}
};
struct Derived : Base {
  void done(void *p) override { free(p); }
};
struct Holder {
  std::vector<double *> all;
  ~Holder() {
    for (double *x : all)
      free(x);
  }
};
static std::pair<double *, int> both(int n) {
  return {(double *)malloc(n * 8), n};
}
struct Deleter {
  void operator()(double *p) const { free(p); }
};
int main() {
  series s;
  fill(&s, 20000);
  drop(&s);
  struct node *head = nullptr;
  for (int i = 0; i < 3; i++)
    head = push(head, 10000);
  while (head) {
    struct node *n = head->next;
    free(head->v);
    free(head);
    head = n;
  }
  Buffer<double> b(10000);
  Buffer<double> c(std::move(b));
  Buffer<int> ints(10000);
  Base *base = new Derived;
  base->done(malloc(90002));
  delete base;
  Holder h;
  h.all.push_back((double *)malloc(90003));
  h.all.emplace_back((double *)malloc(90004));
  auto pr = both(10000);
  free(pr.first);
  auto [q, k] = both(10001);
  (void)k;
  free(q);
  std::map<int, double *> m;
  m[3] = (double *)malloc(90005);
  for (auto &e : m)
    free(e.second);
  std::unique_ptr<double, Deleter> u((double *)malloc(90006));
  std::unique_ptr<double, void (*)(void *)> w((double *)malloc(90007), free);
  auto kill = [](double *p) { free(p); };
  kill((double *)malloc(90008));
  std::function<void(double *)> f = [](double *p) { free(p); };
  f((double *)malloc(90009));
  std::vector<double *> v{(double *)malloc(90010), (double *)malloc(90011)};
  std::for_each(v.begin(), v.end(), [](double *p) { free(p); });
  double *arr[2] = {(double *)malloc(90012), nullptr};
  std::swap(arr[0], arr[1]);
  free(arr[1]);
  double *&ref = arr[0];
  ref = (double *)malloc(90013);
  free(arr[0]);
  double *x = nullptr;
  auto set = [&x](double *y) { x = y; };
  set((double *)malloc(90014));
  free(x);
  double *y = std::max((double *)malloc(90015), (double *)nullptr);
  free(y);
  std::shared_ptr<double> sp((double *)malloc(90016),
                             [](double *p) { free(p); });
  std::vector<series> ss;
  ss.push_back(series{(double *)malloc(90017), 1});
  free(ss.back().d);
  return 0;
}
