/** Colours as in the web app; no font or picture is loaded. */
export const healthPageStyle = `
:root { --ground: #f8f7f4; --surface: #fff; --line: #e6e3dc; --wall: #cdc8be; --ink: #1b1a1f; --ink-2: #55525c;
  --ink-3: #6c6972; --accent: #4f46cf; --bad: #d8453b; --warn: #d98a06; --dot: #928d83 }
@media (prefers-color-scheme: dark) { :root { --ground: #0e1016; --surface: #14171f; --line: #232834; --wall: #3a4254;
  --ink: #eceef4; --ink-2: #a9b0c0; --ink-3: #8b93a5; --accent: #a7a1ff; --dot: #667089 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1180px; padding: 32px 24px 48px; background: var(--ground); color: var(--ink);
  font: 14px/1.5 system-ui, sans-serif }
h1 { margin: 0; font-size: 22px }
header p { margin: 2px 0; color: var(--ink-2) }
p.note { font-size: 13px }
.columns { display: grid; grid-template-columns: 220px 1fr; gap: 32px; margin-top: 24px }
nav h2 { margin: 0 0 6px; font-size: 13px; font-weight: 400; color: var(--ink-3) }
nav { position: sticky; top: 24px; align-self: start }
nav ul, ol { margin: 0; padding: 0; list-style: none }
nav a { display: flex; align-items: center; gap: 8px; padding: 4px 8px; color: inherit; text-decoration: none;
  border-radius: 6px }
nav a:hover { background: var(--surface) }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
nav span { flex: 1 }
nav b { font-weight: 400; color: var(--ink-3) }
nav i { width: 8px; height: 8px; border-radius: 2px; background: var(--dot) }
nav i.secret { background: var(--bad) }
nav i.rivals, nav i.stale { background: var(--warn) }
main { min-width: 0 }
section { margin-bottom: 28px; scroll-margin-top: 16px }
section h2 { margin: 0 0 8px; font-size: 15px }
section h2 small, section h2 span { font-weight: 400; font-size: 13px; color: var(--ink-3) }
ol { border: 1px solid var(--wall); border-radius: 10px; background: var(--surface); overflow: hidden }
li + li { border-top: 1px solid var(--line) }
ol > li { display: grid; grid-template-columns: 3fr 2fr; gap: 24px; padding: 10px 16px }
nav li { border: 0 }
.fact + .fact { margin-top: 4px }
.fact p, .why p { margin: 0; overflow-wrap: anywhere }
.entity { font-weight: 600 }
.entity small, .place { font-weight: 400; font-size: 12px; color: var(--ink-3) }
.text { white-space: pre-line; max-height: 7.5em; overflow: auto }
.why { font-size: 13px; color: var(--ink-2) }
.cure { color: var(--ink-3) }
mark { padding: 1px 6px; border: 1px solid #35333d; border-radius: 4px; background: #1d1c22; color: #e9e8ee; font: 12px ui-monospace, monospace }
.more, footer { font-size: 13px; color: var(--ink-3) }
.none { padding: 48px 0; text-align: center; font-size: 16px }
footer { margin-top: 32px }
@media (max-width: 760px) { .columns, ol > li { grid-template-columns: minmax(0, 1fr); gap: 8px }
  nav { position: static; margin-bottom: 16px } body { padding: 20px 16px } }
@media print { nav { display: none } .columns { display: block } .text { max-height: none } }
`
