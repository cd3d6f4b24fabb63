import type { FastifyReply } from 'fastify'
import { cspHash, Html, html } from '../../../ground/lib/html.ts'

const style = `
:root {
  color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif;
  --ground: light-dark(#fbfbfc, #101115); --surface: light-dark(#fff, #17181c); --line: light-dark(#e6e6eb, #2b2c33);
  --text: light-dark(#17171b, #f1f1f4); --quiet: light-dark(#5f5f6b, #a3a3ae);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); }
main {
  max-width: 27rem; margin: 3rem auto; padding: 1.75rem; background: var(--surface);
  border: 1px solid var(--line); border-radius: 12px;
}
@media (max-width: 30rem) { main { margin: 0; border-width: 0 0 1px; border-radius: 0; } }
.test { background: light-dark(#fff3bf, #6b4200); color: light-dark(#5c3c00, #fff3bf); padding: .5rem 1rem; text-align: center; font-size: .875rem; }
h1 { margin: 0 0 .25rem; font-size: 1.4rem; line-height: 1.25; letter-spacing: -.02em; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
.quiet, dt { color: var(--quiet); font-size: .875rem; }
.price { margin: 0; font-size: 2rem; font-weight: 600; letter-spacing: -.03em; }
.error { border-radius: 8px; background: light-dark(#ffe3e3, #5c1414); color: light-dark(#8a1010, #ffd9d9); padding: .6rem .75rem; }
.or { display: flex; align-items: center; gap: .75rem; margin: 1.25rem 0; color: var(--quiet); font-size: .875rem; }
.or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
label { display: block; margin: 0 0 .25rem; font-size: .875rem; font-weight: 500; }
input { font: inherit; color: inherit; width: 100%; margin: 0 0 .9rem; padding: .55rem .7rem; background: var(--ground); border: 1px solid light-dark(#8d8d99, #6d6d79); border-radius: 8px; }
input::placeholder { color: light-dark(#6b6b76, #9696a2); }
button {
  font: inherit; font-weight: 500; width: 100%; min-height: 2.75rem; padding: .5rem 1rem; cursor: pointer;
  border: 1px solid light-dark(#17171b, #f1f1f4); border-radius: 8px; background: var(--text); color: var(--surface);
}
button.plain { background: none; color: inherit; border-color: light-dark(#8d8d99, #6d6d79); }
button + button { margin-top: .6rem; }
:focus-visible { outline: 2px solid light-dark(#4f46e5, #8f88ff); outline-offset: 2px; }
a { color: light-dark(#4338ca, #a5a0ff); }
dl { display: grid; grid-template-columns: auto 1fr; gap: .15rem .75rem; margin: 0 0 1rem; font-size: .875rem; }
dl.numbers { font-size: .8125rem; }
dt, dd { margin: 0; }
.numbers dt { font-family: ui-monospace, monospace; font-size: .8125rem; color: inherit; }
.numbers dd { color: var(--quiet); }
.foot { margin: 1.25rem 0 0; text-align: center; font-size: .875rem; }
table { width: 100%; border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .5rem 0; border-bottom: 1px solid var(--line); }
thead th { font-size: .8125rem; font-weight: 500; color: var(--quiet); }
tfoot :is(th, td) { border: 0; font-weight: 600; font-size: 1.05rem; }
td:last-child, th:last-child { text-align: right; }
main.wide { max-width: 42rem; }
h2 { margin: 0 0 .35rem; font-size: .875rem; font-weight: 500; color: var(--quiet); }
#pay { margin-top: 1.5rem; font-size: 1.1rem; font-weight: 600; color: inherit; }
.lines + p, form + p { margin-top: 1.25rem; }
.parties { align-items: start; overflow-wrap: anywhere; }
.lines tfoot th { text-align: right; font-weight: 400; font-size: .9375rem; }
.lines tfoot td { font-weight: 400; font-size: .9375rem; padding-left: 1rem; }
.lines :is(tfoot, tfoot .total) :is(th, td) { padding-block: .25rem; }
.lines tfoot .total :is(th, td) { font-weight: 600; }
.lines :is(th, td):is(:nth-child(2), :nth-child(3)) { text-align: right; padding-left: .75rem; white-space: nowrap; }
.lines td:last-child, .lines th:last-child { padding-left: .75rem; white-space: nowrap; }
.lines tbody td { vertical-align: top; }
@media print { .foot, form, #pay { display: none; } main { border: 0; } }
`
const styleHash = cspHash(style)

/**
 * Sends a sandbox page: no scripts, nothing external; forms submit to this server, which can redirect to `returnsTo`.
 */
export function sendPage(
  reply: FastifyReply,
  page: { title: string; body: Html; status?: number; returnsTo?: string[]; isWide?: boolean },
): FastifyReply {
  const targets = (page.returnsTo ?? []).map((url) => new URL(url).origin)
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<header class="test">Test mode: no real money moves</header>
<main class="${page.isWide ? 'wide' : ''}">${page.body}</main>
</body>
</html>`
  return reply
    .code(page.status ?? 200)
    .headers({
      'content-security-policy': `default-src 'none'; style-src ${styleHash}; form-action ${["'self'", ...targets].join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      // The address is a secret that other sites must not see. With `no-referrer`, forms would be sent without an
      // origin.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(document.text)
}
