// SPDX-License-Identifier: Apache-2.0
// What a page looks like, and its script. Both are constants: a browser is told their hashes.
#include "report/html_parts.hpp"

namespace panoptes {
namespace {

constexpr std::string_view style_of_pages = R"css(
:root {
  --paper: #ffffff; --panel: #f5f6f8; --ink: #1c2127; --soft: #5b6570; --line: #d8dde3;
  --blue: #0b5394; --blue-tint: #e4eef8; --green: #2a7140; --green-tint: #e3f3e7;
  --red: #b3261e; --red-tint: #fdebe9; --amber: #96590a; --amber-tint: #fdf1dc;
  --grey-tint: #eceef1;
  --mono: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181d; --panel: #1d232a; --ink: #e4e8ec; --soft: #9aa5b1; --line: #343d47;
    --blue: #7db5ea; --blue-tint: #1b2f42; --green: #7fc794; --green-tint: #1a3323;
    --red: #f08a80; --red-tint: #43201e; --amber: #e0aa55; --amber-tint: #3a2c14;
    --grey-tint: #262d35;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
main { max-width: 75rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
a { color: var(--blue); }
h1, h2, h3, h4, h5 { line-height: 1.25; }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; margin: 2.75rem 0 .75rem; padding-top: 1rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
h4 { font-size: 1rem; margin: 0 0 .5rem; }
h5 { font-size: .8rem; margin: .75rem 0 .25rem; color: var(--soft); font-weight: 600; }
code, pre { font-family: var(--mono); font-size: .875em; }
pre { background: var(--panel); border-radius: 6px; padding: .75rem 1rem; overflow-x: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; }
ul { padding-left: 1.25rem; }
summary { cursor: pointer; padding: .35rem 0; color: var(--blue); }
.scroll { overflow-x: auto; }
.note, .facts, .product, .definitions, .help { color: var(--soft); }
.note { font-size: .9rem; }
[hidden] { display: none; }

header { border-bottom: 0; }
.product { margin: 0 0 .25rem; font-size: .85rem; }
.definitions { margin: .25rem 0 0; font-family: var(--mono); overflow-wrap: anywhere; }
.verdict { margin: 1rem 0 .75rem; padding: .7rem 1rem; border-radius: 6px; font-weight: 600;
  border-left: .4rem solid; overflow-wrap: anywhere; }
.verdict.holds { background: var(--green-tint); color: var(--green); }
.verdict.violated { background: var(--red-tint); color: var(--red); }
.verdict.unknown { background: var(--amber-tint); color: var(--amber); }
.promise span { color: var(--soft); white-space: nowrap; }
.promise, .proviso { margin: .5rem 0; }
.figures { display: flex; flex-wrap: wrap; gap: .5rem 2.25rem; margin: 1rem 0; }
.figures div { display: flex; flex-direction: column-reverse; }
.figures dt { color: var(--soft); font-size: .85rem; }
.figures dd { margin: 0; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin-top: 1.25rem; }

table { border-collapse: collapse; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0;
  border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 500; }
.number { color: var(--soft); font-variant-numeric: tabular-nums; }
td.number { text-align: right; }
.errors td { overflow-wrap: anywhere; min-width: 5ch; }
.errors td:nth-child(2), .errors td:nth-child(n+6) { overflow-wrap: normal; }
meter { width: 7rem; vertical-align: middle; }

article { margin: 1.5rem 0 2.5rem; }
article.error > h3, article.warning > h3 { margin-bottom: .25rem; }
article.error > h3 .number { color: var(--red); }
article.warning > h3 .number { color: var(--amber); }
.what { margin: .25rem 0; font-weight: 600; overflow-wrap: anywhere; }
.meaning { margin: .25rem 0; font-size: 1.05rem; overflow-wrap: anywhere; }
.help { margin: .25rem 0; font-size: .9rem; }
.help p { margin: 0 0 .25rem; }
.facts { margin: .25rem 0; }
.positions { margin: .75rem 0; }
.positions th, .positions td { border: 0; padding: .1rem 1rem .1rem 0; }

.figure { display: grid; grid-template-columns: minmax(0, 1fr) 17rem; gap: 1rem;
  align-items: start; }
.views { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .75rem; }
.views > input { position: absolute; opacity: 0; pointer-events: none; }
.views > label { display: inline-block; margin: 0 .35rem .5rem 0; padding: .1rem .7rem;
  border: 1px solid var(--line); border-radius: 1rem; font-size: .85rem; cursor: pointer; }
.views > input:checked + label { background: var(--blue-tint); border-color: var(--blue);
  color: var(--blue); }
.views > input:focus-visible + label { outline: 2px solid var(--blue); outline-offset: 2px; }
.view { display: none; }
.one .view, .pick-1:checked ~ .view-1, .pick-2:checked ~ .view-2,
.pick-3:checked ~ .view-3 { display: block; }
.chart { overflow: auto; max-height: 85vh; }
.chart svg { display: block; }
.chart .names { position: sticky; top: 0; background: var(--paper); z-index: 1; }

.panel { position: sticky; top: 1rem; max-height: 85vh; overflow: auto; font-size: .85rem;
  background: var(--panel); border-radius: 6px; padding: .75rem 1rem; }
.lists dl { margin: 0; font-family: var(--mono); }
.lists dl div { display: flex; gap: .75rem; justify-content: space-between; padding: 0 .25rem;
  border-radius: 3px; }
.lists dt { color: var(--soft); overflow-wrap: anywhere; }
.lists dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
.lists .same summary { padding: .1rem .25rem; }
.lists .changed { background: var(--blue-tint); }
.lists .changed dd { color: var(--blue); font-weight: 600; }
.close { float: right; font: inherit; color: var(--blue); background: none; border: 0;
  cursor: pointer; }
#start .lists { columns: 20rem auto; }
.changes span { display: inline-block; margin-right: .75rem; color: var(--soft); }
.changes b { color: var(--ink); font-weight: 500; }
.fails { color: var(--red); font-weight: 600; }
.comment { font-size: .85em; color: var(--soft); }
tr.gap td { color: var(--soft); }
tr.chosen td { background: var(--blue-tint); }

.chart text { font: 12px var(--mono); fill: var(--ink); }
.chart .name rect { fill: var(--panel); stroke: var(--soft); }
.chart .name text { font-weight: bold; text-anchor: middle; }
.chart .lifeline line { stroke: var(--line); stroke-width: 1.5; }
.chart .arrow path { stroke: var(--blue); fill: none; stroke-width: 1.4; }
.chart .arrow path, .chart .arrow circle { pointer-events: none; }
.chart .arrow .tip { fill: var(--blue); stroke: none; }
.chart .arrow text { fill: var(--blue); text-anchor: middle; paint-order: stroke;
  stroke: var(--paper); stroke-width: 3px; }
.chart .unreceived path { stroke-dasharray: 5 4; }
.chart .unreceived .tip, .chart .arrow circle, .chart .arrow rect {
  fill: var(--paper); stroke: var(--blue); }
.chart .event circle { fill: var(--soft); }
.chart .state, .chart .event .number { font-size: 10px; fill: var(--soft); }
.chart .state { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
.chart .broken { font-size: 10px; font-weight: bold; fill: var(--red); }
.chart .event .number { text-anchor: end; }
.chart .event .right { text-anchor: start; }
.chart .timeout path { fill: var(--amber); }
.chart .loss path { stroke: var(--amber); stroke-width: 2; fill: none; }
.chart .concurrent { opacity: .5; }
.chart .fold rect { fill: none; stroke: var(--soft); stroke-dasharray: 3 3; }
.chart .fold text { fill: var(--soft); font-weight: bold; }
.chart .left-out rect { fill: var(--grey-tint); stroke: none; }
.chart .fault path, .chart .fails path { stroke: var(--red); stroke-width: 3; fill: none; }
.chart .event { cursor: pointer; outline: none; }
.chart .hit { fill: transparent; }
.chart .event:hover .hit { fill: var(--grey-tint); }
.chart .chosen .hit { fill: var(--blue-tint); stroke: var(--blue); }
.chart .event:focus-visible .hit { stroke: var(--blue); stroke-width: 2; }

.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem;
  font-size: .9rem; color: var(--soft); }
.source { width: 100%; font-size: .95rem; }
.source td { border: 0; padding: 0; line-height: 1.55; }
.source .number { padding-right: .75rem; user-select: none; }
.sign { width: 1.6rem; text-align: center; display: inline-block; border-radius: 3px; }
.source .sign { display: table-cell; border-radius: 0; }
.source .text { width: 100%; padding-left: .75rem; }
.source code { white-space: pre-wrap; overflow-wrap: anywhere; }
.sign.executed, tr.executed .sign { color: var(--green); background: var(--green-tint); }
.sign.merged, tr.merged .sign { color: var(--green); background: var(--grey-tint); }
.sign.in-some, tr.in-some .sign, .sign.mixed, tr.mixed .sign,
.sign.not-reached, tr.not-reached .sign { color: var(--amber); background: var(--amber-tint); }
.sign.never, tr.never .sign { color: var(--red); background: var(--red-tint); }
.source span.never { background: var(--red-tint); color: var(--red); }
.source span.not-reached, .source span.in-some, .source span.mixed {
  background: var(--amber-tint); color: var(--amber); }
.source span.merged { text-decoration: underline dotted var(--green); }
.source tr:target td { background: var(--blue-tint); }

.picture svg { max-width: 100%; height: auto; display: block; }
.picture.wide svg { max-width: none; }
.automaton text { fill: var(--ink); }
.node path { stroke: var(--soft); }
.node path:not([fill="none"]) { fill: var(--paper); }
.node.executed path { stroke: var(--green); }
.node.executed path:not([fill="none"]) { fill: var(--green-tint); }
.node.never path, .node.not-reached path { stroke-dasharray: 4 3; }
.node.blocked path { stroke: var(--red); stroke-width: 2; }
.node.blocked path:not([fill="none"]) { fill: var(--red-tint); }
.edge path { stroke: var(--soft); fill: none; }
.edge polygon { fill: var(--soft); stroke: var(--soft); }
.edge.never path, .edge.not-reached path { stroke-dasharray: 4 3; }
.edge.never text, .edge.not-reached text, .node.never text, .node.not-reached text {
  fill: var(--soft); }
.edge.in-some path { stroke: var(--amber); }
.edge.in-some polygon { fill: var(--amber); stroke: var(--amber); }
.edge.in-some text { fill: var(--amber); }
.edge.failed path { stroke: var(--red); }
.edge.failed polygon { fill: var(--red); stroke: var(--red); }
.edge.failed text { fill: var(--red); }
.sample { display: inline-block; width: 1.5rem; height: .9rem; border: 1px solid var(--soft);
  border-radius: 3px; vertical-align: -.1rem; }
.sample.executed { background: var(--green-tint); border-color: var(--green); }
.sample.never, .sample.not-reached { border-style: dashed; }
.sample.in-some { background: var(--amber-tint); border-color: var(--amber); }
.sample.blocked { background: var(--red-tint); border: 2px solid var(--red); }
.transitions em { font-style: normal; }
.transitions tr.never td, .transitions tr.not-reached td { color: var(--soft); }
.transitions tr.failed td, .transitions em.blocked { color: var(--red); }

.plots { display: flex; flex-wrap: wrap; gap: 1rem; }
.plot { margin: 0; flex: 1 1 18rem; max-width: 26rem; }
.plot figcaption { font-size: .9rem; color: var(--soft); }
.plot svg { width: 100%; height: auto; display: block; }
.plot polyline { fill: none; stroke: var(--blue); stroke-width: 1.5; }
.plot .grid { stroke: var(--line); }
.plot text { font: 11px system-ui, Helvetica, Arial, sans-serif; fill: var(--soft); }
.plot .y, .plot .end { text-anchor: end; }

@media (max-width: 56rem) {
  .figure { grid-template-columns: minmax(0, 1fr); }
  .panel { position: static; max-height: none; }
  .panel.pinned { position: fixed; left: 0; right: 0; bottom: 0; top: auto; max-height: 45vh;
    z-index: 2; border-radius: 0; border-top: 1px solid var(--line);
    box-shadow: 0 -4px 16px rgb(0 0 0 / .25); }
}
@media (max-width: 40rem) {
  main { padding: 1rem .85rem 3rem; }
  h1 { font-size: 1.3rem; }
  .cards thead { display: none; }
  .cards, .cards tbody, .cards tr, .cards td, .cards th { display: block; }
  .cards tr { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .75rem;
    margin: .5rem 0; }
  .cards td, .cards tbody th { border: 0; padding: .1rem 0; text-align: left; }
  .cards td[data-label]::before { content: attr(data-label) " "; color: var(--soft);
    display: inline-block; min-width: 5.5rem; }
  .cards td[data-label]:empty { display: none; }
  .picture svg { max-width: none; }
}
@media print {
  :root { --paper: #fff; --panel: #f5f6f8; --ink: #000; --soft: #444; --line: #bbb;
    --blue: #0b5394; --green: #2a7140; --red: #b3261e; --amber: #96590a;
    --blue-tint: #e4eef8; --green-tint: #e3f3e7; --red-tint: #fdebe9; --amber-tint: #fdf1dc;
    --grey-tint: #eceef1; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  nav, .views > label, .close { display: none; }
  .figure { display: block; }
  .chart, .panel { max-height: none; overflow: visible; position: static; }
  .chart svg, .picture svg { max-width: 100%; height: auto; }
  .chart .names { position: static; }
  .scroll { overflow: visible; }
  .panel .lists dl { max-width: 28rem; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; }
  summary { color: inherit; }
  h2, h3 { break-after: avoid; }
  tr, .plot { break-inside: avoid; }
}
)css";

constexpr std::string_view script_of_pages = R"js(
'use strict';
(() => {
  // The state at a step is the initial one with the changes of all steps up to there.
  const start = [...document.querySelectorAll('#start .lists > *')];
  const stateAt = (rows, step) => {
    const values = new Map(), changed = new Set();
    for (const row of rows) {
      const number = Number(row.dataset.step);
      if (number > step) break;
      changed.clear();
      for (const change of row.querySelectorAll('[data-key]')) {
        values.set(change.dataset.key, change.querySelector('b').textContent);
        changed.add(change.dataset.key);
      }
    }
    return {values, changed};
  };
  // Copies of what the page has, with other texts in them: no text becomes markup.
  // Variables that are as at the start come last, and are folded.
  const listsOf = ({values, changed}) => start.flatMap(part => {
    const copy = part.cloneNode(true), same = document.createElement('dl');
    for (const entry of copy.querySelectorAll('[data-key]')) {
      const key = entry.dataset.key, value = entry.querySelector('dd');
      const isSame = !changed.has(key) && (values.get(key) ?? value.textContent) ===
        value.textContent;
      if (values.has(key)) value.textContent = values.get(key);
      entry.classList.toggle('changed', changed.has(key));
      if (isSame && key[0] === 'v') same.append(entry);
    }
    if (!same.childElementCount) return [copy];
    const others = document.createElement('details'), summary = document.createElement('summary');
    const count = same.childElementCount;
    summary.textContent = `${count} ${count === 1 ? 'other' : 'others'} as at the start`;
    others.className = 'same';
    others.append(summary, same);
    return copy.childElementCount ? [copy, others] : [others];
  });

  for (const trail of document.querySelectorAll('.trail')) {
    const panel = trail.querySelector('.panel'), close = panel.querySelector('.close');
    const title = panel.querySelector('h4'), lists = panel.querySelector('.lists');
    const rows = [...trail.querySelectorAll('tr[data-step]')];
    const events = [...trail.querySelectorAll('.event')];
    const atFirst = {title: title.textContent, lists: [...lists.childNodes]};
    let pinned = false;

    const mark = step => {
      for (const event of events)
        event.classList.toggle('chosen', Number(event.dataset.step) === step);
      for (const row of rows) row.classList.toggle('chosen', Number(row.dataset.step) === step);
    };
    const show = step => {
      const row = rows.find(each => Number(each.dataset.step) >= step);
      const fails = row && row.querySelector('.fails');
      title.textContent = fails ? `Before step ${step}, which fails` : `After step ${step}`;
      const isOpen = lists.querySelector('.same')?.open;
      lists.replaceChildren(...listsOf(stateAt(rows, step)));
      if (isOpen) lists.querySelector('.same')?.setAttribute('open', '');
      mark(step);
    };
    const reset = () => {
      title.textContent = atFirst.title;
      lists.replaceChildren(...atFirst.lists);
      mark(0);
    };
    const pin = to => {
      pinned = to;
      panel.classList.toggle('pinned', to);
      close.hidden = !to;
      if (!to) reset();
    };
    const stepOf = target => {
      const part = target.closest('[data-step], [data-sent]');
      if (!part) return 0;
      return Number(part.dataset.step || part.dataset.received || part.dataset.sent);
    };

    trail.addEventListener('pointerover', pointer => {
      const step = pointer.pointerType === 'mouse' && !pinned ? stepOf(pointer.target) : 0;
      if (step) show(step);
    });
    trail.addEventListener('click', click => {
      const step = stepOf(click.target);
      if (!step || click.target.closest('a')) return;
      show(step);
      pin(true);
    });
    close.addEventListener('click', () => pin(false));

    // One event of each view is reached by Tab, the others by the arrow keys.
    for (const view of trail.querySelectorAll('.view')) {
      const own = [...view.querySelectorAll('.event')];
      own.forEach((event, i) => event.setAttribute('tabindex', i === 0 ? '0' : '-1'));
      view.addEventListener('focusin', focus => {
        const step = stepOf(focus.target);
        if (step && !pinned) show(step);
      });
      view.addEventListener('keydown', key => {
        const at = own.indexOf(key.target);
        const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: own.length - 1}[key.key];
        if (key.key === 'Escape') pin(false);
        if (at < 0 || to === undefined || !own[to]) return;
        key.preventDefault();
        own[at].setAttribute('tabindex', '-1');
        own[to].setAttribute('tabindex', '0');
        pinned = false;
        own[to].focus();
      });
    }
  }

  // Paper cannot be unfolded.
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')];
    for (const each of opened) each.open = true;
  });
  addEventListener('afterprint', () => {
    for (const each of opened) each.open = false;
  });
})();
)js";

}  // namespace

std::string_view page_style() { return style_of_pages; }

std::string_view page_script() { return script_of_pages; }

}  // namespace panoptes
