import { slotColours } from './shares.rules.ts'

const colours = slotColours.map(
  ([light, dark], slot) => `.c${slot} { --dot: light-dark(${light}, ${dark}); }`,
)

/** The style of shared pages, for screens, print and forced colours. */
export const style = `
:root {
  color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; scroll-behavior: smooth;
  --ground: light-dark(#f8f7f4, #0f1014); --surface: light-dark(#fff, #17181c); --line: light-dark(#dedbd3, #2b2c33);
  --text: light-dark(#17171b, #f1f1f4); --quiet: light-dark(#5f5f6b, #a3a3ae); --accent: light-dark(#4338ca, #a5a0ff);
  --edge: light-dark(#8391a7, #7d8aa0); --area: light-dark(#f1f0fa, #191a26); --rim: light-dark(#d8d6ef, #34355a);
}
${colours.join('\n')}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
.top { display: flex; gap: 1.25rem; align-items: center; padding: .75rem 2rem; border-bottom: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
.top > * { white-space: nowrap; }
.top b { display: flex; gap: .5rem; align-items: center; margin-right: auto; color: var(--text); font-size: 1rem; }
main { max-width: 90rem; margin: 0 auto; padding: 1.5rem 2rem 3rem; }
.gone { display: grid; place-content: center; min-height: 75vh; text-align: center; text-wrap: balance; }
.gone .about { margin: .5rem 0 0; }
h1 { margin: 0; font-size: 1.5rem; letter-spacing: -.02em; line-height: 1.25; display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
code { font: .9em ui-monospace, monospace; }
.about, .foot { margin: .15rem 0 1rem; color: var(--quiet); font-size: .875rem; }
.foot { margin: 1rem 0 0; }
blockquote { margin: 0 0 1rem; padding-left: .75rem; border-left: 3px solid var(--line); }
.frame { display: grid; grid-template-columns: minmax(0, 1fr) 26rem; border: 1px solid var(--line); border-radius: 12px; overflow: hidden; background: var(--ground); }
figure { margin: 0; display: flex; flex-direction: column; }
svg { width: 100%; height: auto; flex: 1; min-height: 20rem; }
svg line { stroke: var(--edge); stroke-width: 1.1; opacity: .75; }
.faint line { stroke-width: .9; opacity: .4; }
.rim circle { fill: var(--rim); stroke: none; }
.area circle { fill: var(--area); stroke: none; }
svg text.small { display: none; }
.mark { flex: none; width: 1.25rem; height: 1.25rem; min-height: 0; fill: currentColor; }
.mark path { fill: none; stroke: currentColor; stroke-width: 2.6; }
.mark circle { fill: inherit; stroke: none; }
.mark .lit { fill: var(--accent); }
marker path { fill: var(--edge); }
a circle { fill: var(--dot); stroke: var(--ground); stroke-width: 2; }
svg text { fill: var(--text); font-size: 13px; font-weight: 500; text-anchor: middle; paint-order: stroke; stroke: var(--ground); stroke-width: 4px; stroke-linejoin: round; }
svg text.relation { fill: var(--quiet); font: 11px ui-monospace, monospace; }
svg a:focus-visible circle, svg a:hover circle { stroke: var(--accent); stroke-width: 3; }
figcaption { display: flex; flex-wrap: wrap; gap: .35rem 1rem; padding: .75rem 1rem; color: var(--quiet); font-size: .8125rem; }
figcaption i, h3 i { display: inline-block; width: .65rem; height: .65rem; margin-right: .4rem; border-radius: 50%; background: var(--dot); }
.list { border-left: 1px solid var(--line); background: var(--surface); max-height: 46rem; overflow: auto; }
h2 { margin: 0; padding: .75rem 1rem; font-size: .9375rem; border-bottom: 1px solid var(--line); position: sticky; top: 0; background: var(--surface); }
h2 span, .type, small { color: var(--quiet); font-weight: 400; }
article { padding: .75rem 1rem; border-bottom: 1px solid var(--line); scroll-margin-top: 3rem; }
article:target { background: light-dark(#eeedfb, #22222e); }
h3 { margin: 0; font-size: .9375rem; }
.type { margin: 0 0 .35rem; font-size: .8125rem; }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: .3rem 0; font-size: .9rem; white-space: pre-line; }
small { display: block; font-size: .8125rem; }
.relations { margin-top: .35rem; font-size: .8125rem; color: var(--quiet); }
.relations li { padding: .15rem 0; font-size: inherit; }
summary { padding: .15rem 0; color: var(--quiet); font-size: .8125rem; cursor: pointer; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
@media (max-width: 56rem) {
  .frame { grid-template-columns: minmax(0, 1fr); }
  .list { border: 0; border-top: 1px solid var(--line); max-height: none; }
  main { padding: 1rem 1rem 2rem; }
  .top { gap: .9rem; padding: .6rem 1rem; font-size: .8125rem; }
  .relations a, summary { display: inline-block; min-height: 2.75rem; line-height: 2.75rem; }
  .relations li { padding: 0; }
  figure svg { min-height: 0; }
}
@media (max-width: 40rem) {
  svg text { display: none; }
  svg text.small { display: block; font-size: 30px; stroke-width: 9px; }
  svg line { stroke-width: 2; }
  a circle { stroke-width: 4; }
}
@media (forced-colors: active) { svg circle, figcaption i, h3 i { forced-color-adjust: none; } }
@media print {
  :root { color-scheme: light; }
  .frame { display: block; border: 0; }
  .list { border: 0; max-height: none; overflow: visible; }
  article { break-inside: avoid; }
}
@media (prefers-reduced-motion: reduce) { :root { scroll-behavior: auto; } }
`
