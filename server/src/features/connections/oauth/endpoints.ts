import { MemoryRight } from '@loci/contract/rights'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../ground/errors/app-error.ts'
import { mcpPath } from '../../../ground/mcp-path.ts'
import { countAttempt } from '../../../tenancy/auth/attempts.ts'
import type { Context } from '../../../tenancy/context.ts'
import { asSeenBy, requireIssuer } from './issuer.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import { consentPage, errorPage, isForPerson, oauthPaths } from './paths.ts'
import { createProviders, type DocumentSource, type Providers } from './providers.ts'
import { registerClient } from './register-client.ts'
import { resourceMetadataPath } from './resources.rules.ts'
import { ratesOf } from './stranger-rates.ts'

const registrationBytesMax = 64 * 1024

/** Registers the authorization server, and the metadata by which clients find it. */
export function registerOAuth(app: FastifyInstance, ctx: Context, documents: DocumentSource = {}): void {
  const providers = createProviders(ctx, documents)
  const issuer = (request: FastifyRequest) => requireIssuer(ctx, request)
  app.get('/.well-known/oauth-authorization-server', async (request) =>
    serverMetadata(issuer(request), ctx.config),
  )
  for (const path of ['', mcpPath]) {
    app.get(resourceMetadataPath + path, async (request) => resourceMetadata(issuer(request)))
  }
  app.get<{ Params: { space: string } }>(`${resourceMetadataPath}${mcpPath}/spaces/:space`, async (request) =>
    resourceMetadata(issuer(request), `${mcpPath}/spaces/${encodeURIComponent(request.params.space)}`),
  )
  app.post(oauthPaths.register, { bodyLimit: registrationBytesMax }, async (request, reply) => {
    issuer(request)
    const { status, body } = await registerClient(ctx, request.ip, request.body)
    return reply.code(status).send(body)
  })
  app.get<{ Params: { id: string } }>(`${oauthPaths.requests}/:id`, (request, reply) =>
    reply.redirect(`${consentPage}?request=${encodeURIComponent(request.params.id)}`, 303),
  )
  app.register(async (scope) => serveProvider(scope, ctx, providers))
}

/** Routes that the library serves. It reads bodies itself. */
function serveProvider(scope: FastifyInstance, ctx: Context, providers: Providers): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const handler = (request: FastifyRequest, reply: FastifyReply) => passOn(ctx, providers, request, reply)
  scope.get(oauthPaths.authorize, async (request, reply) => {
    try {
      await countAttempt(ctx, ratesOf('request', request.ip))
    } catch (error) {
      const isOver = error instanceof AppError && error.code === 'rate_limited'
      if (!isOver || !isForPerson(request.headers.accept)) throw error
      return reply.redirect(errorPage(error.code), 303)
    }
    request.raw.url = withScope(request.url)
    return handler(request, reply)
  })
  scope.get(`${oauthPaths.authorize}/:uid`, handler)
  scope.post(oauthPaths.token, handler)
  scope.post(oauthPaths.revoke, handler)
}

async function passOn(
  ctx: Context,
  providers: Providers,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const provider = await providers.get(requireIssuer(ctx, request))
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value!)
  reply.hijack()
  await provider.callback()(asSeenBy(ctx, request), reply.raw)
}

/** Adds all our scopes to a request that asks for none of them; the person can grant fewer. */
function withScope(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  const scopes = searchParams.get('scope')?.split(' ') ?? []
  if (scopes.some((scope) => MemoryRight.safeParse(scope).success)) return address
  searchParams.set('scope', MemoryRight.options.join(' '))
  return `${pathname}?${searchParams}`
}
