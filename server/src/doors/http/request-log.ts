import type { FastifyInstance, FastifyRequest } from 'fastify'
import { signInFailed } from '../../ground/telemetry/events.ts'
import { toLogFields } from '../../tenancy/auth/actor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Error code of the response. */
    refusal: string | undefined
    /** The MCP tool that was called. */
    tool: string | undefined
  }
}

const signIns = ['/auth/login', '/auth/login/second-factor', '/auth/login/passkey']

/** Caller and client address of a request for the log. No tokens, and no URLs with their queries. */
export function toRequestFields({ actor, ip }: FastifyRequest): object {
  return actor === undefined ? { address: ip } : { ...toLogFields(actor), address: ip }
}

/** Whether somebody tried to sign in and was refused; that a second factor has to follow the password is no failure. */
const isFailedSignIn = (route: string | undefined, refusal: string | undefined) =>
  refusal !== undefined && refusal !== 'second_factor_required' && signIns.includes(route ?? '')

/** Writes a line for each request when it is answered. A sign-in that failed has a line of its own kind. */
export function registerRequestLog(app: FastifyInstance): void {
  app.decorateRequest('refusal', undefined)
  app.decorateRequest('tool', undefined)
  app.addHook('onResponse', (request, reply, done) => {
    const { method, tool, refusal } = request
    const route = request.routeOptions.url
    const line: Record<string, unknown> = {
      method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    if (tool !== undefined) line.tool = tool
    if (refusal !== undefined) line.code = refusal
    Object.assign(line, toRequestFields(request))
    if (isFailedSignIn(route, refusal)) {
      signInFailed.publish({ code: refusal ?? '' })
      request.log.warn(line, 'sign-in failed')
    } else request.log.info(line, 'request')
    done()
  })
}
