// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run_page.js REPORT WIDTH: runs the script of a report in a page without
// pixels. Each picture must be drawn, with numbers that are numbers, and arrow
// keys must walk through it and read out.
'use strict';
const fs = require('fs'), assert = require('assert');
const html = fs.readFileSync(process.argv[2], 'utf8'), width = +process.argv[3];
const script = /<script>([^]*)<\/script>/.exec(html)[1];
const data = /<script type="application\/json" id="data">([^]*?)<\/script>/.exec(html)[1];

class Element {
  constructor(tag, id = '') { Object.assign(this, { tag, id, kids: [], attributes: {}, style: {}, listeners: {}, clientWidth: width, textContent: '' }); }
  setAttribute(name, value) {
    assert(!/NaN|undefined|Infinity/.test(String(value)), `${this.tag} ${name}=${value}`);
    this.attributes[name] = String(value);
  }
  getAttribute(name) { return this.attributes[name]; }
  append(...kids) { this.kids.push(...kids); }
  replaceChildren(...kids) { this.kids = kids; }
  addEventListener(name, f) { this.listeners[name] = f; }
  getBoundingClientRect() { return { left: 0, top: 0 }; }
  get text() { return this.kids.map(k => typeof k === 'string' ? k : k.text).join(''); }
  all() { return this.kids.filter(k => typeof k !== 'string').flatMap(k => [k, ...k.all()]); }
}
const ids = new Map([...html.matchAll(/ id="([^"]+)"/g)].map(m => [m[1], new Element('div', m[1])]));
ids.get('data').textContent = data;
const strips = [...html.matchAll(/data-strip="(\d+)"/g)].map(m => { const e = new Element('svg'); e.setAttribute('data-strip', m[1]); return e; });
const pageEvents = {};
const page = {
  document: {
    getElementById: id => ids.get(id) || null,
    createElement: tag => new Element(tag),
    createElementNS: (ns, tag) => new Element(tag),
    querySelectorAll: what => { assert.equal(what, '[data-strip]'); return strips; },
  },
  ResizeObserver: class { observe() {} },
  addEventListener: (name, f) => { pageEvents[name] = f; },
};
new Function(...Object.keys(page), script)(...Object.values(page));

const count = {};
for (const [id, e] of ids)
  if (id.startsWith('v-')) {
    assert.equal(e.kids.length, 1, `${id} is not drawn`);
    const svg = e.kids[0], parts = svg.all();
    assert(svg.attributes['aria-label'], `${id} has no label`);
    assert(parts.length > 3, `${id} has ${parts.length} parts`);
    count[id] = parts.length;
    for (const t of parts.filter(p => p.tag === 'text'))
      assert(!/NaN|undefined|Infinity|\[object/.test(t.text), `${id}: ${t.text}`);
  }
strips.forEach(s => assert(s.kids.length >= 1));
for (const name of ['gantt', 'heat']) {
  const box = ids.get('v-' + name), out = ids.get(name + 'read'), heard = new Set();
  if (!box) continue;
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowUp', 'ArrowLeft']) {
    let kept = true;
    box.onkeydown({ key, preventDefault: () => { kept = false; } });
    assert(!kept, 'the page would scroll');
    heard.add(out.text);
  }
  box.onkeydown({ key: 'Tab', preventDefault: () => assert.fail('Tab must leave the picture') });
  assert(heard.size > 1, `${name}: ${[...heard]}`);
  for (const text of heard) assert(text && !/NaN|undefined/.test(text), text);
}
if (ids.get('fold')) {
  const before = ids.get('v-gantt').kids[0];
  ids.get('fold').listeners.click();
  assert.equal(ids.get('fold').attributes['aria-pressed'], 'true');
  assert.notEqual(ids.get('v-gantt').kids[0], before);
  ids.get('v-gantt').onkeydown({ key: 'ArrowRight', preventDefault: () => {} });
  ids.get('fold').listeners.click();
}
pageEvents.beforeprint();
console.log(`${Object.keys(count).length} pictures, ${Object.values(count).reduce((a, b) => a + b, 0) < 20000 ? 'few' : 'too many'} parts`);
