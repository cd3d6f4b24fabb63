import { mcpPath } from '../../../ground/mcp-path.ts'

/** What a token can be requested for: all of MCP, or one space of it. */
export type Resource = { space?: string }

const spacePath = /^\/mcp\/spaces\/([^/]+)\/?$/

/**
 * Parses a resource indicator (RFC 8707) of this server; undefined for another server or path. The server's bare
 * address means MCP, since that is all it serves to clients.
 */
export function toResource(issuer: string, indicator: string): Resource | undefined {
  if (!URL.canParse(indicator)) return undefined
  // A query only selects the form in which the same memory is served.
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

/** The address of the metadata for a path of MCP (RFC 9728, 3.1). */
export function resourceMetadataUrl(issuer: string, path: string): string {
  const known = spacePath.test(path) ? path.replace(/\/$/, '') : mcpPath
  return `${issuer}${resourceMetadataPath}${known}`
}
