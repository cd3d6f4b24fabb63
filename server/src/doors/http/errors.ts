import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, toErrorBody } from '../../ground/errors/app-error.ts'
import { toAppError } from '../../ground/errors/to-app-error.ts'
import type { Context } from '../../tenancy/context.ts'
import { refusalOfBody, refusalOfSize } from './bodies.ts'
import { bearerChallenge, toRawAnswer } from './raw-answer.ts'
import { toRequestFields } from './request-log.ts'

/** Our errors for Fastify's own refusals. */
const fastifyErrors: Record<string, () => AppError> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new AppError('malformed_json', 'The body is empty'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError('malformed_json', 'The body does not match Content-Length'),
  FST_ERR_BAD_URL: () => new AppError('not_found', 'There is nothing at this address'),
  FST_ERR_MAX_PARAM_LENGTH: () => new AppError('not_found', 'There is nothing at this address'),
}

/** Those whose message depends on the route. */
const refusalsOfBody: Record<string, (request: FastifyRequest) => AppError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refusalOfBody,
  FST_ERR_CTP_BODY_TOO_LARGE: refusalOfSize,
}

/** Our error for a refusal of Fastify. */
function refusalOfFastify({ code = '', statusCode = 500 }: Partial<FastifyError>): AppError | undefined {
  const known = fastifyErrors[code]
  if (known !== undefined) return known()
  const isOurs = statusCode >= 500 || !code.startsWith('FST_')
  return isOurs ? undefined : new AppError('validation_failed', 'The request is not valid')
}

/** The only catch of the HTTP interface. */
export function registerErrorHandling(app: FastifyInstance, ctx: Context): void {
  app.setErrorHandler((error, request, reply) => sendError(ctx, error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    sendError(ctx, new AppError('not_found', 'There is nothing at this address'), request, reply),
  )
}

/** Sends the contract's error body with the headers that belong to it. */
export function sendError(
  ctx: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return reply.send(toErrorBody(beginRefusal(ctx, error, request, reply)))
}

/** The client disconnected in the middle of the body; nobody receives the response. */
const isBrokenOff = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete

/** Sets the status and headers of a refusal and returns its body; logs internal errors. */
export function beginRefusal(
  ctx: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): AppError {
  const { code } = error as Partial<FastifyError>
  const known = isBrokenOff(request)
    ? new AppError('request_aborted', 'The connection was lost before the whole request had arrived', {
        cause: error,
      })
    : (refusalsOfBody[code ?? '']?.(request) ??
      refusalOfFastify(error as Partial<FastifyError>) ??
      toAppError(ctx, error, request.id))
  request.refusal = known.code
  if (known.code === 'request_aborted')
    request.log.debug({ route: request.routeOptions.url, ...toRequestFields(request) }, known.message)
  if (known.status >= 500)
    request.log.error({ err: known.cause ?? known, ...toRequestFields(request) }, known.message)
  if (known.status === 401) {
    const hadToken = /^Bearer ./i.test(request.headers.authorization ?? '')
    reply.header('www-authenticate', bearerChallenge(hadToken))
  }
  if (known.retryAfter !== undefined) reply.header('retry-after', known.retryAfter)
  if (known.rateLimit !== undefined) {
    reply.header('ratelimit-limit', known.rateLimit.limit)
    reply.header('ratelimit-remaining', known.rateLimit.remaining)
    reply.header('ratelimit-reset', known.rateLimit.resetSeconds)
  }
  reply.code(known.status)
  return known
}

/** Responds to data that is not a valid request, or takes too long to become one; no handler ever sees it. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error)
    return
  }
  const known =
    connectionErrors[error.code ?? ''] ?? new AppError('validation_failed', 'The request is not valid HTTP')
  socket.end(toRawAnswer(known), () => socket.destroy())
}

const connectionErrors: Record<string, AppError> = {
  HPE_HEADER_OVERFLOW: new AppError(
    'headers_too_large',
    'The address and headers are larger than 16 KiB. Send a long search as the body of POST /api/search or POST /api/search/observations.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError('request_timeout', 'The request took too long to arrive'),
}
