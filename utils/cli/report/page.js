// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// page.js - the pictures of a report
// Knows: how to draw each view as SVG from the data in the page, for any width,
// and how arrow keys walk through the Gantt chart and the heat map.
// Not here: sentences and tables, which are in the page itself.
'use strict';
const D = JSON.parse(document.getElementById('data').textContent);
const NS = 'http://www.w3.org/2000/svg', NBSP = '\u00a0', U = D.meta.units;
const $ = id => document.getElementById(id);
const digits = x => { const a = Math.abs(x); return a === 0 ? '0' : a >= 99.95 ? x.toFixed(0) : a >= 9.995 ? x.toFixed(1) : a >= .9995 ? x.toFixed(2) : x.toFixed(3); };
const inTime = s => s * U.time.factor, inSize = b => b * U.size.factor;
const time = s => digits(inTime(s)) + NBSP + U.time.name, size = b => digits(inSize(b)) + NBSP + U.size.name;
const signed = s => (s < 0 ? '\u2212' : '+') + digits(Math.abs(inTime(s)));
const node = (e, a, kids) => { for (const k in a) if (a[k] !== undefined) e.setAttribute(k, a[k]); e.append(...kids); return e; };
const S = (tag, a = {}, ...kids) => node(document.createElementNS(NS, tag), a, kids);
const H = (tag, a = {}, ...kids) => node(document.createElement(tag), a, kids);
const T = (x, y, s, cls = '', anchor = 'start') => S('text', { x: round(x), y: round(y), class: cls, 'text-anchor': anchor }, String(s));
const L = (x1, y1, x2, y2, cls = 'gr', more = {}) => S('line', { x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2), class: cls, ...more });
const R = (x, y, w, h, fill, more = {}) => S('rect', { x: round(x), y: round(y), width: round(Math.max(0, w)), height: round(Math.max(0, h)), fill, ...more });
const round = v => +v.toFixed(2);
const max = (list, of = x => x) => list.reduce((m, x) => Math.max(m, of(x)), 0);
const box = (x, y, w, h) => `M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}z`;
const picture = (into, w, h, label) => { const s = S('svg', { viewBox: `0 0 ${w} ${h}`, role: 'img', 'aria-label': label, 'aria-describedby': into.id.replace('v-', 'alt-') }); s.style.height = h + 'px'; into.replaceChildren(s); return s; };
let patterns = 0;
const hatch = (s, color) => { const id = 'h' + (++patterns); s.append(S('defs', {}, S('pattern', { id, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' }, R(0, 0, 1.1, 5, color)))); return `url(#${id})`; };
const steps = (low, high, most) => {
  const raw = (high - low) / most || 1, ten = 10 ** Math.floor(Math.log10(raw)), step = ten * [1, 2, 5, 10].find(k => k * ten >= raw);
  const out = []; for (let v = Math.ceil(low / step - 1e-9) * step; v <= high * (1 + 1e-9); v += step) out.push(+v.toPrecision(12)); return out;
};
const isWide = w => w > 600;
// Text that may not be wider than `room` pixels; 6.5 are a letter on average.
const fitting = (text, room) => { const n = Math.floor(room / 6.5); return text.length <= n ? text : n < 4 ? '' : text.slice(0, n - 1) + '\u2026'; };
const groups = D.groups, oneRun = D.meta.keeps_first_touch;

/* one bar with all placements on it */
function answer(into, W) {
  const a = D.answer, wide = isWide(W), most = Math.max(a.all_slow, a.first_touch, a.plan, a.all_fast) || 1;
  const s = picture(into, W, 118, 'Time with all placements');
  const x = v => v / most * (W - 1), y = 42, h = 28, loses = a.plan > a.first_touch, shorter = Math.min(a.plan, a.first_touch), longer = Math.max(a.plan, a.first_touch);
  s.append(R(0, y, x(a.all_slow), h, 'var(--h0)'), R(0, y, x(longer), h, 'var(--bg)'), R(0, y, x(longer), h, hatch(s, loses ? 'var(--hot)' : 'var(--fast)'), { opacity: .55 }), R(0, y, x(shorter), h, oneRun ? 'var(--slow)' : 'var(--fill)'));
  const mark = (v, dash) => s.append(L(x(v), y, x(v), y + h, '', { stroke: 'var(--bg)', 'stroke-width': 1.5, 'stroke-dasharray': dash }));
  mark(a.all_fast); if (a.limit !== null) mark(a.limit, '3 3');
  s.append(R(.5, y + .5, x(most) - 1, h - 1, 'none', { stroke: 'var(--line)' }));
  if (x(longer) - x(shorter) > 76) s.append(T((x(shorter) + x(longer)) / 2, y + h / 2 + 4.5, signed(a.plan - a.first_touch) + NBSP + U.time.name, 'b halo ' + (loses ? 'c' : 'f'), 'middle'));
  // Labels of a row are moved apart, the left ones to the left.
  const row = (items, up) => {
    items.sort((p, q) => p.v - q.v);
    let free = W;
    for (const i of items.reverse()) {
      const text = time(i.v), w = 7.4 * Math.max(i.name.length, text.length) + 20, X = x(i.v);
      const to = Math.max(Math.min(i === items[0] && W - X < w ? W : X + w / 2, free, W), Math.min(w, W)); free = to - w;
      s.append(L(X, up ? y - 6 : y + h, X, up ? y : y + h + 6, 'ax', { stroke: 'var(--mut)' }), T(to - 5, up ? y - 26 : y + h + 22, i.name, 'm', 'end'), T(to - 5, up ? y - 11 : y + h + 38, text, 'b ' + i.cls, 'end'));
    }
  };
  row([{ v: a.all_fast, name: wide ? 'all in fast memory' : 'all fast', cls: '' }, { v: a.all_slow, name: wide ? 'all in slow memory' : 'all slow', cls: '' }, ...(oneRun ? [] : [{ v: a.plan, name: 'plan', cls: 'f' }])], true);
  row([...(a.limit === null ? [] : [{ v: a.limit, name: wide ? 'proven limit without moving data' : 'proven limit', cls: '' }]), { v: a.first_touch, name: 'first touch', cls: '' }], false);
}

/* time over amount of fast memory */
function curve(into, W) {
  const P = D.amounts, wide = isWide(W), high = 330, s = picture(into, W, high, 'Time over amount of fast memory, for first touch and for the plan');
  const l = 56, r = 12, t = 24, b = 46, last = P[P.length - 1][0] || 1;
  const all = P.flatMap(p => p.slice(1).filter(v => v !== null)).map(inTime), top = Math.max(...all), least = Math.min(...all), low = least < .5 * top ? 0 : least - (top - least) * .15;
  const x = v => l + v / last * (W - l - r), y = v => t + (top - v) / (top - low || 1) * (high - t - b), base = high - b;
  for (const v of steps(low, top, 5)) s.append(L(l, y(v), W - r, y(v)), T(l - 8, y(v) + 4, +v.toPrecision(6), 'm', 'end'));
  s.append(L(l, base, W - r, base, 'ax'), T(0, 12, wide ? `time, ${U.time.name}${low ? ' (not from zero)' : ''}` : U.time.name + (low ? ', not from 0' : ''), 'm'));
  for (const v of steps(0, inSize(last), wide ? 8 : 4)) { const X = x(v / U.size.factor); s.append(L(X, base, X, base + 4, 'ax'), T(X, base + 18, +v.toPrecision(6), 'm', 'middle')); }
  s.append(T(W - r, base + 36, `fast memory, ${U.size.name}`, 'm', 'end'));
  const line = (i, a) => { const p = P.filter(q => q[i] !== null); if (p.length > 1) s.append(S('path', { d: p.map((q, n) => (n ? 'L' : 'M') + round(x(q[0])) + ' ' + round(y(inTime(q[i])))).join(''), fill: 'none', ...a })); };
  line(3, { stroke: 'var(--mut)', 'stroke-width': 1, 'stroke-dasharray': '2 3' }); line(1, { stroke: 'var(--slow)', 'stroke-width': 2 }); line(2, { stroke: 'var(--fast)', 'stroke-width': 2.5 });
  for (const p of P) s.append(S('circle', { cx: round(x(p[0])), cy: round(y(inTime(p[1]))), r: 2.6, fill: 'var(--slow)' }), S('circle', { cx: round(x(p[0])), cy: round(y(inTime(p[2]))), r: 2.8, fill: 'var(--fast)' }));
  const a = D.answer, X = x(D.meta.fast_bytes), ring = (px, py, color) => s.append(S('circle', { cx: round(px), cy: round(py), r: 4.5, fill: 'var(--bg)', stroke: color, 'stroke-width': 2 }));
  if (X <= W - r + 1) {
    s.append(L(X, base, X, y(inTime(Math.max(a.plan, a.first_touch))), '', { stroke: 'var(--mut)', 'stroke-dasharray': '1 3' }));
    if (D.needs !== null) s.append(L(X, y(inTime(a.plan)), x(D.needs), y(inTime(a.plan)), '', { stroke: 'var(--fast)', 'stroke-width': 1.5, 'stroke-dasharray': '5 4' }), T((X + x(D.needs)) / 2, y(inTime(a.plan)) - 6, x(D.needs) - X > 90 ? `worth ${size(D.needs - D.meta.fast_bytes)}` : '', 'b f halo', 'middle'));
    ring(X, y(inTime(a.first_touch)), 'var(--slow)'); ring(X, y(inTime(a.plan)), 'var(--fast)');
    const knee = D.knee !== null && Math.abs(x(P[D.knee][0]) - X) < 40;
    const late = X > W / 2, room = (late ? X - l : W - X) - 8, label = [`asked for${knee ? ', near the knee' : ''}: ${size(D.meta.fast_bytes)}`, `asked for: ${size(D.meta.fast_bytes)}`, 'asked for'].find(t => t.length * 6.5 < room) || '';
    s.append(T(X + (late ? -8 : 8), base - 8, label, 'halo m', late ? 'end' : 'start'));
  }
  const near = D.knee !== null && Math.abs(x(P[D.knee][0]) - X) < 40 && X <= W - r + 1;
  if (D.knee !== null && !near) { const k = P[D.knee], below = y(inTime(k[2])) < base - 60; ring(x(k[0]), y(inTime(k[2])), 'var(--ink)'); s.append(T(Math.max(x(k[0]), l + 60), y(inTime(k[2])) + (below ? 22 : -12), `knee: ${size(k[0])}`, 'b halo', 'middle')); }
  let kx = W - r;
  for (const [name, cls, stroke, dash] of [['plan', 'f b', 'var(--fast)'], ['first touch', 'm b', 'var(--slow)'], ...(P.some(p => p[3] !== null) ? [['proven limit', 'm', 'var(--mut)', '2 3']] : [])]) {
    s.append(T(kx, 12, name, cls, 'end')); kx -= 7 * name.length + 6;
    s.append(L(kx - 18, 8, kx, 8, '', { stroke, 'stroke-width': 2, 'stroke-dasharray': dash })); kx -= 32;
  }
}

/* strips in the table of objects */
function strip(s, o) {
  s.setAttribute('viewBox', '0 0 256 14'); s.setAttribute('preserveAspectRatio', 'none');
  s.append(R(0, 0, 256, 14, 'var(--h1)'), ...o.ranges.map(([a, b, w]) => R(a, 14 * (1 - w), b - a, 14 * w, 'var(--fill)')));
}

/* tasks over time */
let folded = true;
const columns = () => folded ? groups.map((g, n) => ({ n, count: g.count })) : D.unfolded.map((n, i) => ({ n, count: 1, i }));
const cellOf = (run, c) => folded ? run.groups[c.n] : { s: run.unfolded[c.i][0], busy: run.unfolded[c.i].slice(1), task: run.groups[c.n].task, bars: [] };
const slow = p => { const used = p.busy.filter((_, i) => p.task[i] !== null); const m = max(used), mean = used.reduce((a, b) => a + b, 0) / (used.length || 1); return used.length > 1 && m > 1.05 * mean ? m * .97 : Infinity; };
const laneName = (p, i) => D.meta.lane === 'rank' ? `rank ${i}` : p.explicit ? `worker ${i}` : p.task[i] === null ? `lane ${i}` : `task ${p.task[i]}`;
function gantt(into, W) {
  const rows = max([D.first_touch, D.plan], r => max(r.groups, g => g.busy.length)), wide = isWide(W), lane = rows > 32 ? 5 : rows > 16 ? 8 : wide ? 12 : 10;
  const top = 44, gap = 82, tall = rows * lane, panels = oneRun ? 1 : 2, high = top + panels * tall + (panels - 1) * gap + 50;
  const s = picture(into, W, high, 'Time of every task in every phase'), waits = hatch(s, 'var(--wait)');
  const l = wide ? 56 : 30, span = Math.max(D.first_touch.makespan, D.plan.makespan) || 1, x = v => l + v / span * (W - l - 2), cols = columns(), cells = [];
  const draw = (which, run, y, color, title, cls) => {
    const d = { work: '', hot: '', wait: '', cut: '' }; let t = 0, loop = null;
    s.append(T(l, y - 26, fitting(title, W - l), 'b ' + cls));
    const ends = () => { if (loop && loop.to - loop.from > 40) s.append(S('path', { d: `M${round(loop.from + 2)} ${y + tall + 1}v4H${round(loop.to - 1)}v-4`, fill: 'none', stroke: 'var(--mut)' }), T((loop.from + loop.to) / 2, y + tall + 18, fitting(`${loop.count} iterations, folded`, loop.to - loop.from + 60), 'm s halo', 'middle')); loop = null; };
    cols.forEach((c, ci) => {
      const p = cellOf(run, c), X = x(t), w = x(t + p.s) - X, least = slow(p), g = groups[c.n];
      for (let i = 0; i < rows; ++i) {
        const v = p.busy[i] || 0, yy = y + i * lane, bw = Math.min(w, v / (p.s || 1) * w), h = lane - (lane > 6 ? 2 : 1);
        const bars = p.bars.length ? p.bars.filter(b => b[0] === i) : null;
        if (p.s > v * 1.0005 && !bars) d.wait += box(X + bw, yy, w - bw, h);
        if (bars) { d.wait += box(X, yy, w, h); for (const b of bars) { const bx = X + b[1] / (p.s || 1) * w; const b2 = Math.max(.4, b[2] / (p.s || 1) * w); d.work += box(bx, yy, Math.max(.3, b2 - (b2 > 2 ? .6 : 0)), h); cells.push({ which, ci, i, x: bx, y: yy, w: b2, h, c, p, v: b[2], bar: b }); } }
        else if (v) d[v >= least && !p.explicit && p.task[i] !== null ? 'hot' : 'work'] += box(X, yy, Math.max(.4, bw - (w > 3 ? .6 : 0)), h);
        if (!bars) cells.push({ which, ci, i, x: X, y: yy, w, h, c, p, v });
      }
      if (ci) d.cut += `M${round(X)} ${y - 4}V${y + tall}`;
      if (folded) {
        if (w > 12) s.append(T(X + w / 2, y - 7, fitting(w > 110 ? `${c.n + 1}  ${g.name}${c.count > 1 ? '  \u00d7' + c.count : ''}` : String(c.n + 1), w + 2), 'm s', 'middle'));
        if (loop && loop.id !== g.loop) ends();
        if (g.loop) { loop ??= { id: g.loop, from: X, count: g.count }; loop.to = X + w; }
      }
      t += p.s;
    });
    ends();
    for (const [k, fill] of [['wait', waits], ['work', color], ['hot', 'var(--hot)']]) if (d[k]) s.append(S('path', { d: d[k], fill }));
    if (d.cut) s.append(S('path', { d: d.cut, stroke: 'var(--bg)', 'stroke-width': folded ? 2 : .5 }));
    s.append(T(l - 8, y + Math.min(lane - 2, 10), '0', 'm s', 'end')); if (rows > 1) s.append(T(l - 8, y + tall - 2, rows * D.meta.lanes_per_band - 1, 'm s', 'end'));
    return t;
  };
  const waited = run => wide && D.meta.lanes > 1 ? `; ${D.meta.explicit ? 'worker' : D.meta.lane}s wait ${time(run.waited / D.meta.lanes)} each on average` : '';
  draw(0, D.first_touch, top, 'var(--slow)', `First touch: ${time(D.first_touch.makespan)}${waited(D.first_touch)}`, '');
  if (!oneRun) {
    const y = top + tall + gap; draw(1, D.plan, y, 'var(--fill)', `Plan: ${time(D.plan.makespan)}${waited(D.plan)}`, 'f');
    const end = x(D.plan.makespan), diff = D.plan.makespan - D.first_touch.makespan;
    if (x(span) - end > 60) s.append(L(end, y - 4, end, y + tall + 4, '', { stroke: 'var(--fast)', 'stroke-width': 2 }), T(end + 8, y + tall / 2 + 4, signed(diff) + NBSP + U.time.name, 'b f'));
  }
  const axis = high - 24;
  for (const v of steps(0, inTime(span), wide ? 8 : 4)) { const X = x(v / U.time.factor); s.append(L(X, axis, X, axis + 4, 'ax'), T(X, axis + 17, +v.toPrecision(6), 'm s', v ? 'middle' : 'start')); }
  s.append(L(l, axis, W - 2, axis, 'ax'), T(0, axis + 17, U.time.name, 'm s'));
  const mark = R(0, 0, 0, 0, 'none', { stroke: 'var(--ink)', 'stroke-width': 2 }); s.append(mark);
  inspect(into, s, $('ganttread'), cells, mark, k => {
    const g = groups[k.c.n], where = `${k.which ? 'Plan' : 'First touch'}, ${k.c.n + 1} ${g.name}, `;
    if (k.bar) return [`${where}worker ${k.i}: `, k.bar[3] > 1 ? `${k.bar[3]} tasks in ${time(k.bar[2])}, the longest is task ${k.bar[4]}` : `task ${k.bar[4]} takes ${time(k.bar[2])}`, ''];
    return [`${where}${laneName(k.p, k.i)}: `, `works ${time(k.v)}, waits ${time(Math.max(0, k.p.s - k.v))}`, k.c.count > 1 ? ` (${k.c.count} ${g.loop ? 'iterations' : 'phases'} together)` : ''];
  }, (k, dx, dy) => dx ? (k.bar && cells.find(q => q.which === k.which && q.i === k.i && q.ci === k.ci && (dx > 0 ? q.x > k.x : q.x < k.x && !cells.some(z => z.which === k.which && z.i === k.i && z.ci === k.ci && z.x > q.x && z.x < k.x)))) || cells.find(q => q.which === k.which && q.i === k.i && q.ci === k.ci + dx)
    : cells.find(q => q.ci === k.ci && q.which * rows + q.i === k.which * rows + k.i + dy) || null);
}

/* one line of read-out for mouse and arrow keys */
function inspect(into, s, out, cells, mark, text, next) {
  let now = null;
  const show = k => { now = k; for (const [a, v] of [['x', k.x], ['y', k.y], ['width', Math.max(2, k.w)], ['height', k.h]]) mark.setAttribute(a, round(v)); const [a, b, c] = text(k); out.replaceChildren(a, H('b', {}, b), c); };
  s.addEventListener('pointermove', e => { const r = s.getBoundingClientRect(), px = e.clientX - r.left, py = e.clientY - r.top; const k = cells.find(c => px >= c.x && px < c.x + c.w && py >= c.y && py < c.y + c.h + 2); if (k && k !== now) show(k); });
  into.onkeydown = e => { const d = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key]; if (!d) return; const k = now ? next(now, ...d) : cells[0]; if (k) show(k); e.preventDefault(); };
}

/* parts of memory by phase */
function heat(into, W) {
  const wide = isWide(W), O = D.objects, l = wide ? 170 : 96, top = wide ? 46 : 26, sep = 6, sum = O.reduce((a, o) => a + o.bytes, 0) || 1;
  const hs = O.map(o => Math.max(18, o.bytes / sum * (wide ? 560 : 440))), high = top + hs.reduce((a, b) => a + b + sep, 0) + 40;
  const s = picture(into, W, high, 'Main-memory traffic of each part of each object in each phase'), cw = (W - l) / (groups.length || 1), cells = [];
  groups.forEach((g, n) => {
    const X = l + n * cw + cw / 2; if (cw > 14 || n % 5 === 4) s.append(T(X, wide ? 15 : 18, n + 1, 'b', 'middle'));
    if (wide && cw > 50) s.append(T(X, 32, fitting(g.name + (g.count > 1 ? ' \u00d7' + g.count : ''), cw - 4), 'm s', 'middle'));
  });
  let y = top; const levels = ['', '', '', '', '', '']; let outline = '', exact = [];
  O.forEach((o, oi) => {
    const h = hs[oi], u = h / 256; let first = groups.length, end = 0;
    groups.forEach((g, n) => {
      if (!o.live[n]) return;
      first = Math.min(first, n); end = n + 1;
      const X = l + n * cw + .75, w = cw - 1.5, runs = o.heat[n] || [0, 256];
      for (let i = 0, c = 0; i < runs.length; i += 2) { levels[runs[i]] += box(X, y + c * u, w, runs[i + 1] * u); c += runs[i + 1]; }
      cells.push({ x: X, y, w, h, o, n, oi });
    });
    for (const [a, b, w] of o.ranges) exact.push(R(l - 8, y + a * u, 6, Math.max(.4, (b - a) * u), 'var(--fast)', { opacity: Math.max(.08, w) }));
    const parts = []; for (const [a, b, w] of o.ranges) { if (w < .3) continue; const q = parts[parts.length - 1]; if (q && (a - q[1]) * u <= 3) q[1] = b; else parts.push([a, b]); }
    if (end > first) for (const [a, b] of parts) if ((b - a) * u > 2) outline += box(l + first * cw - .5, y + a * u + .75, (end - first) * cw + .5, (b - a) * u - 1.5);
    const my = h > 40 ? y + 14 : y + h / 2 + 4, label = o.name || o.at;
    s.append(T(l - 16, my, fitting(label, h > 40 || !wide ? l - 18 : l - 84), 'b' + (o.share ? ' f' : ''), 'end'));
    if (h > 40) s.append(T(l - 16, my + 17, size(o.bytes), 'm s', 'end')); else if (wide) s.append(T(0, my, size(o.bytes), 'm s'));
    y += h + sep;
  });
  levels.forEach((d, k) => d && s.append(S('path', { d, class: 'k' + k })));
  s.append(...exact); if (outline) s.append(S('path', { d: outline, fill: 'none', stroke: 'var(--fast)', 'stroke-width': 2 }));
  const ky = y + 14; let kx = wide ? l : 0; const step = wide ? 84 : Math.min(62, W / 6);
  if (wide) s.append(T(0, ky + 11, 'each line moves', 'm s'));
  [wide ? 'never' : '0', '\u00bc', '\u00bd', 'once', '1\u00bd', 'twice'].forEach((t, k) => { s.append(R(kx, ky, 22, 14, '', { class: 'k' + k, stroke: 'var(--line)' }), T(kx + 27, ky + 11, t, 'm s')); kx += step; });
  if (wide && outline && W - kx > 170) s.append(R(kx + 4, ky + 1, 22, 12, 'none', { stroke: 'var(--fast)', 'stroke-width': 2 }), T(kx + 32, ky + 11, 'mostly in fast memory', 'f s b'));
  const mark = R(0, 0, 0, 0, 'none', { stroke: 'var(--ink)', 'stroke-width': 2 }); s.append(mark);
  inspect(into, s, $('heatread'), cells, mark, k => { const lines = k.o.lines[k.n], g = groups[k.n]; return [`${k.o.name || k.o.at} in ${k.n + 1} ${g.name}: `, lines < .5 ? 'no main-memory traffic' : `${size(lines * 64)} moved, ${digits(lines * 64 / (k.o.bytes || 1))} times its size`, `; ${digits(k.o.share * 100)} % of it in fast memory`]; },
    (k, dx, dy) => { for (let oi = k.oi + dy, n = k.n + dx; oi >= 0 && oi < O.length && n >= 0 && n < groups.length; oi += dy, n += dx) { const q = cells.find(c => c.oi === oi && c.n === n); if (q) return q; } return null; });
}

/* how full fast memory is in each phase */
function occupancy(into, W) {
  const P = D.occupancy, wide = isWide(W), high = wide ? 250 : 220, s = picture(into, W, high, 'Bytes allocated and bytes in fast memory, by phase');
  const l = wide ? 56 : 40, t = 26, base = high - 52, cap = D.meta.fast_bytes, most = max(P, p => Math.max(...p, cap)) || 1, cw = (W - l - 2) / (P.length || 1), y = b => base - b / most * (base - t), gap = cw > 12 ? 2 : .5;
  s.append(T(0, 12, U.size.name, 'm'));
  for (const v of steps(0, inSize(most), 4)) { const Y = y(v / U.size.factor); s.append(L(l, Y, W, Y, v ? 'gr' : 'ax'), T(l - 8, Y + 4, +v.toPrecision(6), 'm', 'end')); }
  P.forEach(([all, touch, plan], n) => {
    const X = l + n * cw + gap, w = cw - 2 * gap, shown = oneRun ? touch : plan, number = String(n + 1);
    s.append(R(X, y(all), w, base - y(all), 'var(--h1)'), R(X, y(shown), w, base - y(shown), oneRun ? 'var(--slow)' : 'var(--fill)'));
    if (!oneRun) s.append(L(X, y(touch), X + w, y(touch), '', { stroke: 'var(--ink)', 'stroke-width': 1.5 }));
    if (cw > 14 || n % 5 === 4) s.append(T(X + w / 2, base + 17, cw > 60 && fitting(number + ' ' + groups[n].name, w) || number, 'm s', 'middle'));
  });
  s.append(L(l, y(cap), W, y(cap), '', { stroke: 'var(--fast)', 'stroke-width': 1.5, 'stroke-dasharray': '5 4' }), T(W, y(cap) - 6, `fast memory: ${size(cap)}`, 'b f halo', 'end'));
  const ky = high - 12;
  if (!oneRun) s.append(L(l, ky - 4, l + 20, ky - 4, '', { stroke: 'var(--ink)', 'stroke-width': 1.5 }), T(l + 27, ky, 'in fast memory under first touch', 'm s'));
}

/* predicted against replayed */
function scatter(into, W) {
  const P = D.belief.points, high = Math.min(W, 420), s = picture(into, W, high, 'Predicted against replayed time of tasks, with the band of 10 percent'), l = 48, b = 42, t = 8, r = 8;
  const all = P.flatMap(p => [p[0], p[1]]).map(inTime), low = Math.log(Math.min(...all) * .8), top = Math.log(Math.max(...all) * 1.25);
  const x = v => l + (Math.log(v) - low) / (top - low) * (W - l - r), y = v => high - b - (Math.log(v) - low) / (top - low) * (high - b - t), A = Math.exp(low), B = Math.exp(top);
  const id = 'c' + (++patterns); s.append(S('defs', {}, S('clipPath', { id }, R(l, t, W - l - r, high - t - b, '#000'))));
  s.append(S('path', { d: `M${round(x(A))} ${round(y(A * 1.1))}L${round(x(B))} ${round(y(B * 1.1))}L${round(x(B))} ${round(y(B * .9))}L${round(x(A))} ${round(y(A * .9))}z`, fill: 'var(--h1)', 'clip-path': `url(#${id})` }));
  const marks = []; for (let e = -6; e < 7; ++e) for (const k of B / A > 300 ? [1] : [1, 2, 5]) { const v = +(k * 10 ** e).toPrecision(3); if (v >= A && v <= B) marks.push(v); }
  for (const v of marks) s.append(L(x(v), t, x(v), high - b), L(l, y(v), W - r, y(v)), T(x(v), high - b + 17, v, 'm s', 'middle'), T(l - 7, y(v) + 4, v, 'm s', 'end'));
  s.append(L(x(A), y(A), x(B), y(B), '', { stroke: 'var(--mut)', 'stroke-dasharray': '3 3' }), L(l, high - b, W - r, high - b, 'ax'), L(l, t, l, high - b, 'ax'));
  const dot = (p, q) => { const X = round(x(inTime(q)) - 3), Y = round(y(inTime(p))); return `M${X} ${Y}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z`; };
  s.append(S('path', { d: P.map(p => dot(p[0], p[1])).join(''), fill: 'var(--fast)', 'fill-opacity': .35, stroke: 'var(--fast)', 'stroke-width': .8 }));
  s.append(T(W - r, high - 6, `replayed, ${U.time.name} per task`, 'm s', 'end'), T(l + 8, t + 14, `predicted, ${U.time.name} per task`, 'm s halo'));
}
/* error of each task, by group: of the prediction, or as expected */
function errors(into, W) {
  const shown = groups.map((g, n) => ({ g, n, e: D.belief.points.filter(p => p[2] === n) })).filter(q => q.e.length), row = 30, t = 26, high = t + shown.length * row + 34;
  const s = picture(into, W, high, D.meta.replayed ? 'Error of each predicted task time, by phase' : 'Expected error of task times, by phase'), l = Math.round(Math.min(230, W * .42)), r = 62;
  const off = p => D.meta.replayed ? (p[0] / p[1] - 1) * 100 : p[1] / p[0] * 100, worst = max(shown, q => max(q.e, p => Math.abs(off(p)))), end = Math.min(Math.max(12, worst * 1.1), 100);
  const x = v => l + (Math.max(-end, Math.min(end, v)) + end) / (2 * end) * (W - l - r);
  s.append(R(x(-10), t - 4, x(10) - x(-10), shown.length * row + 4, 'var(--h0)'));
  for (const v of steps(0, end, 2).flatMap(v => v ? [-v, v] : [0])) s.append(L(x(v), t - 4, x(v), t + shown.length * row, v ? 'gr' : 'ax', v ? {} : { stroke: 'var(--mut)' }), T(x(v), t + shown.length * row + 18, (v > 0 ? '+' : v < 0 ? '\u2212' : '') + Math.abs(v) + ' %', 'm s', 'middle'));
  s.append(T(W, 12, D.meta.replayed ? 'worst' : 'up to', 'm s', 'end'));
  shown.forEach((q, k) => {
    const y = t + k * row + row / 2, bad = max(q.e, p => Math.abs(off(p)));
    s.append(T(0, y + 4, q.n + 1, 'm s'), T(24, y + 4, fitting(q.g.name, l - 34), ''));
    if (D.meta.replayed) s.append(S('path', { d: q.e.map(p => { const X = round(x(off(p)) - 3.5); return `M${X} ${y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z`; }).join(''), fill: 'var(--fast)', 'fill-opacity': .25, stroke: 'var(--fast)', 'stroke-width': .8 }));
    else s.append(L(x(-bad), y, x(bad), y, '', { stroke: 'var(--fast)', 'stroke-width': 3, 'stroke-linecap': 'round' }));
    s.append(T(W, y + 4, bad > 100 ? '> 100 %' : bad.toFixed(1) + ' %', '', 'end'));
  });
}

for (const e of document.querySelectorAll('[data-strip]')) strip(e, D.objects[+e.getAttribute('data-strip')]);
const views = [['v-answer', answer], ['v-curve', curve], ['v-gantt', gantt], ['v-heat', heat], ['v-occupancy', occupancy], ['v-scatter', scatter], ['v-errors', errors]].filter(v => $(v[0]));
const draw = (id, f) => { const w = Math.floor($(id).clientWidth); if (w) f($(id), w); };
const seen = {};
const watch = new ResizeObserver(list => { for (const e of list) { const id = e.target.id, w = Math.floor(e.contentRect.width); if (seen[id] !== w) { seen[id] = w; draw(...views.find(v => v[0] === id)); } } });
for (const [id, f] of views) { draw(id, f); seen[id] = Math.floor($(id).clientWidth); watch.observe($(id)); }
if ($('fold')) $('fold').addEventListener('click', () => { folded = !folded; $('fold').setAttribute('aria-pressed', String(!folded)); draw('v-gantt', gantt); });
addEventListener('beforeprint', () => views.forEach(v => draw(...v)));
