// Nodes that a container or an owner hands around.
// INPUTS 101 67 | 131 89
#include <cstdlib>
#include <memory>
#include <unordered_map>

#define KERNEL __attribute__((noinline)) static void

// KERNEL hash_map: exact
//   t serial chase element 8 dependent reads 2*taken+4#7 + 2*trip+6 + 2*trip+6#1 + 3*trip+4#1 + taken+4#2 + taken+4#6 + trip+4 + trip+7 + trip+7#1 writes 2*taken+4#6 + taken+4#7 + taken+4#8 exact
//   t serial random element 8 reads 2*taken+4 + 2*taken+4#10 + 2*taken+6#1 + m*taken+5 + taken+4#12 + taken+4#9 + trip+3 writes taken+4#10 + taken+4#11 + taken+4#12 + taken+4#13 exact
//   t serial stream(64) element 64 reads 0 writes lines+4 + lines+7 + lines+7#1 exact
//   t serial strided element 8 reads 0 writes 3*taken+4#3 + taken+4#10 + taken+4#11 exact why fresh-object
//   t serial strided(56) element 8 reads taken+6#1 writes 0 exact
KERNEL hash_map(long m, double *out) {
  std::unordered_map<long, double> t;
  for (long i = 0; i < m; i++)
    t[i * 7] = i;
  for (long i = 0; i < m; i++)
    *out += t.find(i * 7)->second;
}

// KERNEL owned_tree: exact
//   node serial stream(64) element 64 reads 0 writes calls+5 exact
//   node serial strided element 8 reads 2*taken+8 writes 2*taken+8 + calls+5 exact why fresh-object
//   node serial chase element 8 dependent reads 3*taken+14 writes 0 exact
//   node serial random element 8 reads calls+372 writes calls+372 exact why callers-differ
struct Node {
  std::unique_ptr<Node> Left, Right;
  double Value = 1;
};
__attribute__((noinline)) static std::unique_ptr<Node> grow(int depth) {
  auto node = std::make_unique<Node>();
  if (depth > 0) {
    node->Left = grow(depth - 1);
    node->Right = grow(depth - 1);
  }
  return node;
}
__attribute__((noinline)) static double owned_tree_sum(const Node *n) {
  return n ? n->Value + owned_tree_sum(n->Left.get()) +
                 owned_tree_sum(n->Right.get())
           : 0;
}
KERNEL owned_tree(double *out) {
  auto root = grow(5);
  *out += owned_tree_sum(root.get());
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  double out = 0;
  hash_map(std::atol(argv[2]), &out);
  owned_tree(&out);
  return out < 0;
}
