import { type AppError, toErrorBody } from '../errors/app-error.ts'

/**
 * A refusal as it goes over the wire, for a socket that Fastify has no reply for; the connection ends with it.
 * `hadToken` tells that credentials came, in whatever form.
 */
export function toRawAnswer(error: AppError, hadToken = false): string {
  const body = JSON.stringify(toErrorBody(error))
  const head = [
    // Without a reason phrase, which may be empty: to import Node's list of them loads all of `fetch` at start.
    `HTTP/1.1 ${error.status} `,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(error.status === 401 ? [`www-authenticate: ${bearerChallenge(hadToken)}`] : []),
    ...(error.retryAfter === undefined ? [] : [`retry-after: ${error.retryAfter}`]),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** What 401 says in `WWW-Authenticate`: an error only when there was a token to be wrong (RFC 6750, 3.1). */
export const bearerChallenge = (hadToken: boolean) =>
  `Bearer realm="loci"${hadToken ? ', error="invalid_token"' : ''}`
