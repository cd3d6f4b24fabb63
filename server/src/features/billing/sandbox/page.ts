import type { FastifyReply } from 'fastify'
import { cspHash, Html, html } from '../../../lib/html.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 30rem; margin: 2rem auto; padding: 0 1rem; }
.test { background: #7a4d00; color: #fff; padding: .5rem 1rem; text-align: center; }
.error { border-left: .25rem solid #c92a2a; padding: .5rem .75rem; }
label { display: block; margin: 1rem 0 .25rem; }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; }
button { font: inherit; margin: 1.5rem .5rem 0 0; padding: .6rem 1.2rem; cursor: pointer; }
table { width: 100%; border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: left; padding: .4rem 0; border-bottom: 1px solid #8886; }
td:last-child, th:last-child { text-align: right; }
`
const styleHash = cspHash(style)

/** Sends a page of the sandbox: no scripts, nothing from elsewhere, forms go to ourselves and on to `returnsTo`. */
export function sendPage(
  reply: FastifyReply,
  page: { title: string; body: Html; status?: number; returnsTo?: string[] },
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
<div class="test">Test mode: no real money moves</div>
<main>${page.body}</main>
</body>
</html>`
  return reply
    .code(page.status ?? 200)
    .headers({
      'content-security-policy': `default-src 'none'; style-src ${styleHash}; form-action ${["'self'", ...targets].join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(document.text)
}

/** `1050` is `$10.50`. */
export function toDollars(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)
}

/** `November 21, 2026`, UTC. */
export function toDate(milliseconds: number): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(milliseconds)
}
