import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { memoised } from '../../ground/lib/memoised.ts'
import { isLoopback } from '../../ground/lib/networks.ts'

/** Anybody can send any `Host`. */
const hostsMax = 1_000
const hostLengthMax = 255

const thisMachine = ['localhost', '127.0.0.1', '[::1]']
/**
 * Load balancers and Prometheus request these by IP address. The first two contain nothing, the last requires its own
 * token.
 */
const pathsAskedByNumber = new Set(['/healthz', '/readyz', '/metrics'])

/** Throws `origin_not_allowed` for a request that was meant for another host, or comes from another host's page. */
export type HostCheck = (headers: Pick<IncomingHttpHeaders, 'host' | 'origin'>) => void

/**
 * Prevents DNS rebinding, where a page of any site reaches this server under a name of its own. Without a public
 * address, a server that is open to a network does not know its names and accepts all.
 */
export function createHostCheck(config: Pick<Config, 'host' | 'publicUrl'>): HostCheck {
  const known = knownHostnames(config)
  if (known === undefined) return () => {}
  const isKnown = memoised(hostsMax, (host) => known.has(hostnameOf(host)), hostLengthMax)
  return ({ host = '', origin }) => {
    if (!isKnown(host)) throw unknownHost()
    if (origin !== undefined && !known.has(hostnameOfOrigin(origin))) throw unknownOrigin()
  }
}

/** Browsers name the page that opens a socket. Without a list of names, only pages of the same host are allowed. */
export function requireSameOrigin(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
): void {
  if (origin === undefined) return
  const page = URL.canParse(origin) ? new URL(origin) : undefined
  if (page !== undefined && page.host === host) return
  if (publicUrl !== undefined && page?.origin === new URL(publicUrl).origin) return
  throw unknownOrigin()
}

/** Checks the host on every route except those that machines request by IP address. */
export function registerHostCheck(app: FastifyInstance, check: HostCheck): void {
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      check(request.headers)
      done()
    } catch (error) {
      done(pathsAskedByNumber.has(request.url) ? undefined : (error as AppError))
    }
  })
}

function knownHostnames({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): Set<string> | undefined {
  if (publicUrl === undefined && !isLoopback(host)) return undefined
  const own = host.includes(':') ? `[${host}]` : host.toLowerCase()
  return new Set([...thisMachine, own, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])])
}

/** The name in a `Host` header, without the port; empty if the header is invalid. */
function hostnameOf(host: string): string {
  return /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i.exec(host)?.[1]?.toLowerCase() ?? ''
}

function hostnameOfOrigin(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : ''
}

const unknownHost = () =>
  new AppError(
    'origin_not_allowed',
    'This server does not answer under this address. If you run it, set LOCI_PUBLIC_URL to the address that people use, and let the proxy pass on the Host header.',
  )

const unknownOrigin = () =>
  new AppError(
    'origin_not_allowed',
    'Pages of another origin may not call this server. If you run it, set LOCI_PUBLIC_URL to the address that people use.',
  )
