import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '../../ground/lib/html.ts'
import type { Context } from '../../tenancy/context.ts'
import { readToken, stopBriefMail } from './brief-mails.service.ts'

type Request = FastifyRequest<{ Params: { token: string } }>

/**
 * The page behind the link of a weekly mail, which ends it without signing in. Only the button does, since programs
 * that look through mails follow links; mail programs post to the same address (RFC 8058).
 */
export function registerWeeklyMail(app: FastifyInstance, ctx: Context): void {
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1_024 },
      (_request, _body, done) => done(null, undefined),
    )
    scope.get('/weekly-mail/:token', async (request: Request, reply) => {
      if (readToken(ctx, request.params.token) === undefined) return send(reply, 404, gone)
      return send(
        reply,
        200,
        html`<h1>Stop the weekly mail?</h1><form method="post"><button type="submit">Stop it</button></form>`,
      )
    })
    scope.post('/weekly-mail/:token', async (request: Request, reply) =>
      (await stopBriefMail(ctx, request.params.token))
        ? send(reply, 200, html`<h1>You get no more weekly mails of this memory.</h1>`)
        : send(reply, 404, gone),
    )
  })
}

const gone = html`<h1>This link is not valid.</h1>`

function send(reply: FastifyReply, status: number, main: Html): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>Weekly mail - Loci</title>
</head>
<body><main>${main}</main></body>
</html>
`
  return reply
    .code(status)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(page.text)
}
