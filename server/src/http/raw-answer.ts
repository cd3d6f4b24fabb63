import { type AppError, toErrorBody } from '../errors.ts'

/** A refusal as it goes over the wire, for a socket that Fastify has no reply for; the connection ends with it. */
export function toRawAnswer(error: AppError): string {
  const body = JSON.stringify(toErrorBody(error))
  const head = [
    // Without a reason phrase, which may be empty: to import Node's list of them loads all of `fetch` at start.
    `HTTP/1.1 ${error.status} `,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(error.status === 401 ? [`www-authenticate: ${bearerChallenge}`] : []),
    ...(error.retryAfter === undefined ? [] : [`retry-after: ${error.retryAfter}`]),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** What 401 says in `WWW-Authenticate`. */
export const bearerChallenge = 'Bearer realm="loci", error="invalid_token"'
