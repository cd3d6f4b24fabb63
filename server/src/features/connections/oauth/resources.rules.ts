import { mcpPath } from '../../../http/mcp-path.ts'

/** What a token may be asked for: MCP as a whole, or one space of it. */
export type Resource = { space?: string }

const spacePath = /^\/mcp\/spaces\/([^/]+)\/?$/

/**
 * What a resource indicator (RFC 8707) names at this server; undefined for another server or another path. The bare
 * address of the server stands for MCP, since that is all that it serves to programs.
 */
export function toResource(issuer: string, indicator: string): Resource | undefined {
  if (!URL.canParse(indicator)) return undefined
  // A query chooses among the forms in which the same memory is offered.
  const { origin, pathname, hash, username, password } = new URL(indicator)
  if (origin !== new URL(issuer).origin || `${hash}${username}${password}` !== '') return undefined
  if (['/', mcpPath, `${mcpPath}/`].includes(pathname)) return {}
  const [, space] = spacePath.exec(pathname) ?? []
  if (space === undefined) return undefined
  try {
    return { space: decodeURIComponent(space) }
  } catch {
    return undefined
  }
}

export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

/** Where the metadata of what is served at a path of MCP is (RFC 9728, 3.1). */
export function resourceMetadataUrl(issuer: string, path: string): string {
  const known = spacePath.test(path) ? path.replace(/\/$/, '') : mcpPath
  return `${issuer}${resourceMetadataPath}${known}`
}
