import { MemoryRight } from '@loci/contract/rights'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { issuerOf } from '../../features/connections/oauth/issuer.ts'
import { resourceMetadataUrl } from '../../features/connections/oauth/resources.rules.ts'
import type { Config } from '../../ground/config/config.ts'
import type { AppError } from '../../ground/errors/app-error.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { requireAllowed } from '../../tenancy/auth/permissions.ts'
import { findTool } from './profiles.ts'

/**
 * Refuses a tool call that a token does not allow with 403, so that a program can ask the person for
 * more rights (MCP, step-up authorization); other callers get the refusal from the tool. Throws
 * `not_permitted`.
 */
export function requireScope(actor: Actor, body: unknown): void {
  if (actor.kind !== 'oauth') return
  for (const message of Array.isArray(body) ? body : [body]) {
    if (message?.method !== 'tools/call') continue
    const tool = findTool(String(message.params?.name), 'chatgpt')
    if (tool !== undefined) requireAllowed(actor, tool.right)
  }
}

/**
 * Tells a program without valid credentials or sufficient rights where it can ask a person (RFC 9728,
 * 5.1). An error is named only if a token was sent.
 */
export function sendChallenge(
  config: Pick<Config, 'publicUrl'>,
  { status, code }: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const lacksScope = code === 'not_permitted' && request.actor?.kind === 'oauth'
  const issuer = issuerOf(config, request)
  if (issuer === undefined || (status !== 401 && !lacksScope)) return
  const [path = ''] = request.url.split('?')
  const hadToken = /^Bearer ./i.test(request.headers.authorization ?? '')
  const error = lacksScope ? 'insufficient_scope' : hadToken ? 'invalid_token' : undefined
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${resourceMetadataUrl(issuer, path)}"`,
    `scope="${MemoryRight.options.join(' ')}"`,
  ]
  reply.header('www-authenticate', `Bearer ${parts.join(', ')}`)
}
