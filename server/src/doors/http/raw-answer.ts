import { type AppError, toErrorBody } from '../../ground/errors/app-error.ts'

/**
 * A refusal in wire format, for a socket without a Fastify reply; it closes the connection. `hadToken` says whether
 * credentials were sent, in any form.
 */
export function toRawAnswer(error: AppError, hadToken = false): string {
  const body = JSON.stringify(toErrorBody(error))
  const head = [
    // No reason phrase, which can be empty: importing Node's list of them would load all of `fetch` at start.
    `HTTP/1.1 ${error.status} `,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(error.status === 401 ? [`www-authenticate: ${bearerChallenge(hadToken)}`] : []),
    ...(error.retryAfter === undefined ? [] : [`retry-after: ${error.retryAfter}`]),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** The `WWW-Authenticate` header of a 401: names an error only if a token was sent (RFC 6750, 3.1). */
export const bearerChallenge = (hadToken: boolean) =>
  `Bearer realm="loci"${hadToken ? ', error="invalid_token"' : ''}`
