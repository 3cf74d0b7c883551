/*===- pic.c - electromagnetic particle-in-cell step of a plasma ----------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Electrons in two space and three velocity dimensions over a fixed background
 * of ions, periodic on both sides. Fields by finite differences in time on
 * Yee's staggered grid (Yee 1966); gather by linear interpolation, push by
 * Boris (1970), currents by the charge-conserving zigzag scheme (Umeda et al.
 * 2003), so that Gauss's law holds to rounding without being solved. Particles
 * are sorted by cell every few steps. The grid is cut into strips of equally
 * many rows, one per thread; a strip deposits into a tile of its own with
 * margins, which the owners of the rows add up. The density is a bump on a thin
 * background (plasma targets, bunches), so that particles are many in some
 * strips and few in others. Units: cell 1, speed of light 1, electron charge
 * to mass -1.
 *
 *   pic NX NY DENSITY STEPS [--verify] [--out FILE]
 *   DENSITY: particles in a cell at the top of the bump
 *===----------------------------------------------------------------------===*/
#define PROGRAM "pic"
#include "../common/support.h"
#include <math.h>
#include <omp.h>

enum { sort_every = 4, below = 3, margins = 7 };
static const double dt = 0.5, peak = 0.04, thermal = 0.08;

/* One array per quantity. y is not wrapped between sorts. */
struct particles {
  double *x, *y, *ux, *uy, *uz; /* momenta by mass */
};

struct strip {
  int64_t row, rows;       /* [row, row + rows) of the grid */
  int64_t first, last;     /* its particles */
  double *jx, *jy, *jz;    /* tiles of rows + margins rows */
  int64_t *count, *target; /* of its particles per cell of the tile */
};

struct plasma {
  int64_t nx, ny, strips, number;
  double charge; /* of one particle; negative */
  struct particles now, sorted;
  double *ex, *ey, *ez, *bx, *by, *bz, *jx, *jy, *jz;
  double *ions; /* background, on corners */
  struct strip *strip;
};

static double *make_field(int64_t n) {
  double *f = need(malloc((size_t)n * sizeof(double)));
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++)
    f[i] = 0;
  return f;
}

/*===----------------------------------------------------------------------===*
 * Particles
 *===----------------------------------------------------------------------===*/

/* Electrons in cell c: the density there, rounded at random. */
static int64_t cell_number(int64_t nx, int64_t ny, double top, int64_t c) {
  double x = ((double)(c % nx) + 0.5) / (double)nx - 0.5;
  double y = ((double)(c / nx) + 0.5) / (double)ny - 0.4;
  uint64_t seed = (uint64_t)c;
  double density = 0.05 + 0.95 * exp(-(x * x / 0.08 + y * y / 0.02));
  return (int64_t)(top * density + random_unit(&seed));
}

static double normal(uint64_t *seed) { /* Box and Muller 1958 */
  double u = 1 - random_unit(seed), v = random_unit(seed);
  return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static struct particles make_particles(int64_t n) {
  struct particles p;
  size_t bytes = (size_t)(n ? n : 1) * sizeof(double);
  p.x = need(malloc(bytes));
  p.y = need(malloc(bytes));
  p.ux = need(malloc(bytes));
  p.uy = need(malloc(bytes));
  p.uz = need(malloc(bytes));
  return p;
}

static void drop_particles(struct particles *p) {
  free(p->uz);
  free(p->uy);
  free(p->ux);
  free(p->y);
  free(p->x);
}

/* Places the electrons, by cells, with a slow wave on top of their heat. */
static void load_particles(struct plasma *s, double top) {
  int64_t nx = s->nx, ny = s->ny;
  int64_t *first = need(malloc((size_t)(ny + 1) * sizeof(int64_t)));
  first[0] = 0;
#pragma omp parallel for schedule(static)
  for (int64_t j = 0; j < ny; j++) {
    int64_t n = 0;
    for (int64_t i = 0; i < nx; i++)
      n += cell_number(nx, ny, top, j * nx + i);
    first[j + 1] = n;
  }
  for (int64_t j = 0; j < ny; j++)
    first[j + 1] += first[j];
  s->number = first[ny];
  s->charge = -peak / top;
  s->now = make_particles(s->number);
  s->sorted = make_particles(s->number);
  struct particles p = s->now;
#pragma omp parallel for schedule(static)
  for (int64_t j = 0; j < ny; j++) {
    int64_t at = first[j];
    for (int64_t i = 0; i < nx; i++) {
      int64_t n = cell_number(nx, ny, top, j * nx + i);
      uint64_t seed = ~(uint64_t)(j * nx + i);
      for (int64_t k = 0; k < n; k++, at++) {
        p.x[at] = (double)i + random_unit(&seed);
        p.y[at] = (double)j + random_unit(&seed);
        double wave = sin(6.283185307179586 * p.x[at] / (double)nx);
        p.ux[at] = thermal * normal(&seed) + 0.1 * wave;
        p.uy[at] = thermal * normal(&seed);
        p.uz[at] = thermal * normal(&seed);
      }
    }
  }
  for (int64_t t = 0; t < s->strips; t++) {
    s->strip[t].first = first[s->strip[t].row];
    s->strip[t].last = first[s->strip[t].row + s->strip[t].rows];
  }
  free(first);
}

/* v in [0, n) for v in [-n, 2n). */
static int64_t wrapped(int64_t v, int64_t n) {
  return v < 0 ? v + n : v >= n ? v - n : v;
}

static double wrapped_position(double v, double n) {
  double w = v < 0 ? v + n : v >= n ? v - n : v;
  return w >= n ? 0 : w; /* -tiny + n rounds to n */
}

/* Four corners around a point, and their weights. */
struct corners {
  int64_t at[4];
  double weight[4];
};

static struct corners around(double x, double y, int64_t nx, int64_t ny) {
  double fx = floor(x), fy = floor(y), wx = x - fx, wy = y - fy;
  int64_t i = wrapped((int64_t)fx, nx), j = wrapped((int64_t)fy, ny);
  int64_t right = i + 1 == nx ? 0 : i + 1, up = j + 1 == ny ? 0 : j + 1;
  struct corners c = {
      {j * nx + i, j * nx + right, up * nx + i, up * nx + right},
      {(1 - wx) * (1 - wy), wx * (1 - wy), (1 - wx) * wy, wx * wy}};
  return c;
}

static double at_corners(const double *f, const struct corners *c) {
  return c->weight[0] * f[c->at[0]] + c->weight[1] * f[c->at[1]] +
         c->weight[2] * f[c->at[2]] + c->weight[3] * f[c->at[3]];
}

/* New momenta from the fields at the particles. */
static void gather_and_push(struct plasma *s) {
  int64_t nx = s->nx, ny = s->ny;
  const double *ex = s->ex, *ey = s->ey, *ez = s->ez;
  const double *bx = s->bx, *by = s->by, *bz = s->bz;
#pragma omp parallel for schedule(static)
  for (int64_t t = 0; t < s->strips; t++) {
    struct particles p = s->now;
    int64_t last = s->strip[t].last;
    for (int64_t k = s->strip[t].first; k < last; k++) {
      double x = p.x[k], y = p.y[k], half = -0.5 * dt;
      struct corners edge_x = around(x - 0.5, y, nx, ny);
      struct corners edge_y = around(x, y - 0.5, nx, ny);
      struct corners node = around(x, y, nx, ny);
      struct corners middle = around(x - 0.5, y - 0.5, nx, ny);
      double kick_x = half * at_corners(ex, &edge_x);
      double kick_y = half * at_corners(ey, &edge_y);
      double kick_z = half * at_corners(ez, &node);
      double ux = p.ux[k] + kick_x, uy = p.uy[k] + kick_y,
             uz = p.uz[k] + kick_z;
      double turn = half / sqrt(1 + ux * ux + uy * uy + uz * uz);
      double tx = turn * at_corners(bx, &edge_y);
      double ty = turn * at_corners(by, &edge_x);
      double tz = turn * at_corners(bz, &middle);
      double twice = 2 / (1 + tx * tx + ty * ty + tz * tz);
      double vx = ux + uy * tz - uz * ty;
      double vy = uy + uz * tx - ux * tz;
      double vz = uz + ux * ty - uy * tx;
      p.ux[k] = ux + twice * (vy * tz - vz * ty) + kick_x;
      p.uy[k] = uy + twice * (vz * tx - vx * tz) + kick_y;
      p.uz[k] = uz + twice * (vx * ty - vy * tx) + kick_z;
    }
  }
}

/*===----------------------------------------------------------------------===*
 * Currents
 *===----------------------------------------------------------------------===*/

/* One leg of a particle's way, within cell (i, j) of the tile: middle (mx, my)
 * relative to the cell, current (fx, fy). */
static void deposit_leg(int64_t nx, double *jx, double *jy, int64_t i,
                        int64_t j, double mx, double my, double fx, double fy) {
  int64_t c = j * nx + i, right = i + 1 == nx ? c + 1 - nx : c + 1;
  jx[c] += fx * (1 - my);
  jx[c + nx] += fx * my;
  jy[c] += fy * (1 - mx);
  jy[right] += fy * mx;
}

/* Where the two legs meet, in one direction. */
static double relay(double from, double to) {
  double a = floor(from), b = floor(to);
  return fmin(fmin(a, b) + 1, fmax(fmax(a, b), 0.5 * (from + to)));
}

/* New positions, and each strip's currents in its tile. */
static void move_and_deposit(struct plasma *s) {
  int64_t nx = s->nx;
  double per_step = s->charge / dt;
#pragma omp parallel for schedule(static)
  for (int64_t t = 0; t < s->strips; t++) {
    struct strip *mine = s->strip + t;
    struct particles p = s->now;
    double *jx = mine->jx, *jy = mine->jy, *jz = mine->jz;
    int64_t cells = (mine->rows + margins) * nx, last = mine->last;
    double bottom = (double)(mine->row - below);
    for (int64_t c = 0; c < cells; c++)
      jx[c] = jy[c] = jz[c] = 0;
    for (int64_t k = mine->first; k < last; k++) {
      double ux = p.ux[k], uy = p.uy[k], uz = p.uz[k];
      double gamma = sqrt(1 + ux * ux + uy * uy + uz * uz);
      double x1 = p.x[k], y1 = p.y[k] - bottom;
      double x2 = x1 + dt * ux / gamma, y2 = y1 + dt * uy / gamma;
      double xr = relay(x1, x2), yr = relay(y1, y2);
      double i1 = floor(x1), j1 = floor(y1), i2 = floor(x2), j2 = floor(y2);
      deposit_leg(nx, jx, jy, (int64_t)i1, (int64_t)j1, 0.5 * (x1 + xr) - i1,
                  0.5 * (y1 + yr) - j1, per_step * (xr - x1),
                  per_step * (yr - y1));
      deposit_leg(nx, jx, jy, wrapped((int64_t)i2, nx), (int64_t)j2,
                  0.5 * (xr + x2) - i2, 0.5 * (yr + y2) - j2,
                  per_step * (x2 - xr), per_step * (y2 - yr));
      double xm = 0.5 * (x1 + x2), ym = 0.5 * (y1 + y2);
      double im = floor(xm), jm = floor(ym), wx = xm - im, wy = ym - jm;
      double fz = s->charge * uz / gamma;
      int64_t i = wrapped((int64_t)im, nx), c = (int64_t)jm * nx + i;
      int64_t right = i + 1 == nx ? c + 1 - nx : c + 1;
      jz[c] += fz * (1 - wx) * (1 - wy);
      jz[right] += fz * wx * (1 - wy);
      jz[c + nx] += fz * (1 - wx) * wy;
      jz[right + nx] += fz * wx * wy;
      p.x[k] = wrapped_position(x2, (double)nx);
      p.y[k] = y2 + bottom;
    }
  }
}

/* Up to three strips whose tiles reach strip t, in order. */
static int strips_near(int64_t strips, int64_t t, int64_t near[3]) {
  int n = 0;
  for (int64_t o = 0; o < strips; o++)
    if (o == t || o == (t + 1) % strips || o == (t + strips - 1) % strips)
      near[n++] = o;
  return n;
}

/* First row of o's tile that is row j of the grid; ny apart from the next. */
static int64_t tile_row(const struct strip *o, int64_t j, int64_t ny) {
  int64_t r = (j - o->row + below) % ny;
  return r < 0 ? r + ny : r;
}

static void add_tiles(struct plasma *s) {
  int64_t nx = s->nx, ny = s->ny;
#pragma omp parallel for schedule(static)
  for (int64_t t = 0; t < s->strips; t++) {
    int64_t near[3];
    int n = strips_near(s->strips, t, near);
    const struct strip *mine = s->strip + t;
    for (int64_t j = mine->row; j < mine->row + mine->rows; j++) {
      double *jx = s->jx + j * nx, *jy = s->jy + j * nx, *jz = s->jz + j * nx;
      for (int64_t i = 0; i < nx; i++)
        jx[i] = jy[i] = jz[i] = 0;
      for (int o = 0; o < n; o++) {
        const struct strip *other = s->strip + near[o];
        for (int64_t r = tile_row(other, j, ny); r < other->rows + margins;
             r += ny)
          for (int64_t i = 0; i < nx; i++) {
            jx[i] += other->jx[r * nx + i];
            jy[i] += other->jy[r * nx + i];
            jz[i] += other->jz[r * nx + i];
          }
      }
    }
  }
}

/*===----------------------------------------------------------------------===*
 * Fields
 *===----------------------------------------------------------------------===*/

static void half_magnetic(struct plasma *s) {
  int64_t nx = s->nx, ny = s->ny;
  const double *ex = s->ex, *ey = s->ey, *ez = s->ez;
  double *bx = s->bx, *by = s->by, *bz = s->bz;
#pragma omp parallel for schedule(static)
  for (int64_t j = 0; j < ny; j++) {
    int64_t up = (j + 1 == ny ? 0 : j + 1) * nx, row = j * nx;
    for (int64_t i = 0; i < nx; i++) {
      int64_t right = i + 1 == nx ? 0 : i + 1;
      bx[row + i] -= 0.5 * dt * (ez[up + i] - ez[row + i]);
      by[row + i] += 0.5 * dt * (ez[row + right] - ez[row + i]);
      bz[row + i] -=
          0.5 * dt * (ey[row + right] - ey[row + i] - ex[up + i] + ex[row + i]);
    }
  }
}

static void electric(struct plasma *s) {
  int64_t nx = s->nx, ny = s->ny;
  const double *bx = s->bx, *by = s->by, *bz = s->bz;
  const double *jx = s->jx, *jy = s->jy, *jz = s->jz;
  double *ex = s->ex, *ey = s->ey, *ez = s->ez;
#pragma omp parallel for schedule(static)
  for (int64_t j = 0; j < ny; j++) {
    int64_t down = (j == 0 ? ny - 1 : j - 1) * nx, row = j * nx;
    for (int64_t i = 0; i < nx; i++) {
      int64_t left = i == 0 ? nx - 1 : i - 1, c = row + i;
      ex[c] += dt * (bz[c] - bz[down + i] - jx[c]);
      ey[c] += dt * (bz[row + left] - bz[c] - jy[c]);
      ez[c] += dt * (by[c] - by[row + left] - bx[c] + bx[down + i] - jz[c]);
    }
  }
}

/*===----------------------------------------------------------------------===*
 * Sorting by cell
 *===----------------------------------------------------------------------===*/

/* A counting sort: each strip counts its particles in its tile's cells; owners
 * of cells hand out places, near strips in order; each strip moves its own. */
static void sort_particles(struct plasma *s) {
  int64_t nx = s->nx, ny = s->ny;
  int64_t *sum = need(calloc((size_t)s->strips + 1, sizeof(int64_t)));
#pragma omp parallel for schedule(static)
  for (int64_t t = 0; t < s->strips; t++) {
    struct strip *mine = s->strip + t;
    int64_t cells = (mine->rows + margins) * nx, last = mine->last;
    int64_t *count = mine->count;
    for (int64_t c = 0; c < cells; c++)
      count[c] = 0;
    for (int64_t k = mine->first; k < last; k++) {
      int64_t r = (int64_t)floor(s->now.y[k]) - mine->row + below;
      count[r * nx + (int64_t)s->now.x[k]]++;
    }
  }
#pragma omp parallel for schedule(static)
  for (int64_t t = 0; t < s->strips; t++) {
    int64_t near[3], at = 0;
    int n = strips_near(s->strips, t, near);
    const struct strip *mine = s->strip + t;
    for (int64_t j = mine->row; j < mine->row + mine->rows; j++)
      for (int64_t i = 0; i < nx; i++)
        for (int o = 0; o < n; o++) {
          const struct strip *other = s->strip + near[o];
          for (int64_t r = tile_row(other, j, ny); r < other->rows + margins;
               r += ny) {
            other->target[r * nx + i] = at;
            at += other->count[r * nx + i];
          }
        }
    sum[t + 1] = at;
  }
  for (int64_t t = 0; t < s->strips; t++)
    sum[t + 1] += sum[t];
#pragma omp parallel for schedule(static)
  for (int64_t t = 0; t < s->strips; t++) {
    const struct strip *mine = s->strip + t;
    struct particles from = s->now, to = s->sorted;
    int64_t last = mine->last;
    for (int64_t k = mine->first; k < last; k++) {
      int64_t row = (int64_t)floor(from.y[k]), r = row - mine->row + below;
      int64_t wrap = row < 0 ? ny : row >= ny ? -ny : 0;
      /* Places count from the start of the owner's particles. */
      int64_t owner = (row + wrap) * s->strips / ny;
      while (row + wrap >= s->strip[owner].row + s->strip[owner].rows)
        owner++;
      int64_t c = r * nx + (int64_t)from.x[k];
      int64_t place = sum[owner] + mine->target[c]++;
      to.x[place] = from.x[k];
      to.y[place] = wrapped_position(from.y[k], (double)ny);
      to.ux[place] = from.ux[k];
      to.uy[place] = from.uy[k];
      to.uz[place] = from.uz[k];
    }
  }
  for (int64_t t = 0; t < s->strips; t++) {
    s->strip[t].first = sum[t];
    s->strip[t].last = sum[t + 1];
  }
  struct particles swap = s->now;
  s->now = s->sorted;
  s->sorted = swap;
  free(sum);
}

/*===----------------------------------------------------------------------===*
 * The whole
 *===----------------------------------------------------------------------===*/

/* Charge of the electrons on the corners, added to rho. */
static void add_charge(const struct plasma *s, double sign, double *rho) {
  for (int64_t k = 0; k < s->number; k++) {
    struct corners c = around(s->now.x[k], s->now.y[k], s->nx, s->ny);
    for (int i = 0; i < 4; i++)
      rho[c.at[i]] += sign * s->charge * c.weight[i];
  }
}

static double energy(const struct plasma *s) {
  double fields = 0, moving = 0;
  for (int64_t c = 0; c < s->nx * s->ny; c++)
    fields += s->ex[c] * s->ex[c] + s->ey[c] * s->ey[c] + s->ez[c] * s->ez[c] +
              s->bx[c] * s->bx[c] + s->by[c] * s->by[c] + s->bz[c] * s->bz[c];
  for (int64_t k = 0; k < s->number; k++) {
    double ux = s->now.ux[k], uy = s->now.uy[k], uz = s->now.uz[k];
    moving += sqrt(1 + ux * ux + uy * uy + uz * uz) - 1;
  }
  return 0.5 * fields - s->charge * moving;
}

/* Largest violation of Gauss's law, against the charge of a full cell. */
static double gauss_error(const struct plasma *s) {
  int64_t nx = s->nx, ny = s->ny;
  double *rho = make_field(nx * ny), worst = 0;
  add_charge(s, 1, rho);
  for (int64_t j = 0; j < ny; j++)
    for (int64_t i = 0; i < nx; i++) {
      int64_t c = j * nx + i, left = i ? c - 1 : c + nx - 1;
      int64_t down = j ? c - nx : c + (ny - 1) * nx;
      double div = s->ex[c] - s->ex[left] + s->ey[c] - s->ey[down];
      worst = fmax(worst, fabs(div - rho[c] - s->ions[c]));
    }
  free(rho);
  return worst / peak;
}

static void make_plasma(struct plasma *s, int64_t nx, int64_t ny, double top) {
  s->nx = nx;
  s->ny = ny;
  s->strips = omp_get_max_threads();
  while (ny / s->strips < margins + 1)
    s->strips--;
  s->strip = need(malloc((size_t)s->strips * sizeof(struct strip)));
  s->ex = make_field(nx * ny);
  s->ey = make_field(nx * ny);
  s->ez = make_field(nx * ny);
  s->bx = make_field(nx * ny);
  s->by = make_field(nx * ny);
  s->bz = make_field(nx * ny);
  s->jx = make_field(nx * ny);
  s->jy = make_field(nx * ny);
  s->jz = make_field(nx * ny);
  s->ions = make_field(nx * ny);
#pragma omp parallel for schedule(static)
  for (int64_t t = 0; t < s->strips; t++) {
    struct strip *mine = s->strip + t;
    mine->row = ny * t / s->strips;
    mine->rows = ny * (t + 1) / s->strips - mine->row;
    size_t cells = (size_t)((mine->rows + margins) * nx);
    mine->jx = need(malloc(cells * sizeof(double)));
    mine->jy = need(malloc(cells * sizeof(double)));
    mine->jz = need(malloc(cells * sizeof(double)));
    mine->count = need(malloc(cells * sizeof(int64_t)));
    mine->target = need(malloc(cells * sizeof(int64_t)));
  }
  load_particles(s, top);
}

static void drop_plasma(struct plasma *s) {
  drop_particles(&s->sorted);
  drop_particles(&s->now);
  for (int64_t t = 0; t < s->strips; t++) {
    free(s->strip[t].target);
    free(s->strip[t].count);
    free(s->strip[t].jz);
    free(s->strip[t].jy);
    free(s->strip[t].jx);
  }
  free(s->ions);
  free(s->jz);
  free(s->jy);
  free(s->jx);
  free(s->bz);
  free(s->by);
  free(s->bx);
  free(s->ez);
  free(s->ey);
  free(s->ex);
  free(s->strip);
}

int main(int argc, char **argv) {
  const char *usage = "NX NY DENSITY STEPS [--verify] [--out FILE]";
  struct options o = take_options(&argc, argv);
  int64_t nx = number(argc == 5 ? argv[1] : "", 8, 1 << 15, usage);
  int64_t ny = number(argv[2], 8, 1 << 15, usage);
  int64_t top = number(argv[3], 1, 100000, usage);
  int64_t steps = number(argv[4], 1, 100000, usage);
  struct plasma s;
  make_plasma(&s, nx, ny, (double)top);
  double before = 0;
  if (o.verify) {
    add_charge(&s, -1, s.ions);
    before = energy(&s);
  }
  for (int64_t n = 0; n < steps; n++) {
    gather_and_push(&s);
    move_and_deposit(&s);
    add_tiles(&s);
    half_magnetic(&s);
    electric(&s);
    half_magnetic(&s);
    if ((n + 1) % sort_every == 0)
      sort_particles(&s);
  }
  int64_t most = 0;
  for (int64_t t = 0; t < s.strips; t++)
    if (s.strip[t].last - s.strip[t].first > most)
      most = s.strip[t].last - s.strip[t].first;
  printf("%lld particles, at most %lld in a strip, %lld steps\n",
         (long long)s.number, (long long)most, (long long)steps);
  int status = 0;
  if (o.verify) {
    status |= judge("Gauss's law", gauss_error(&s), 1e-11);
    status |= judge("change of energy", fabs(energy(&s) / before - 1), 0.01);
  }
  if (o.out)
    write_out(o.out, s.ex, (size_t)(nx * ny) * sizeof(double));
  drop_plasma(&s);
  return status;
}
