import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The graph in the chat, an MCP App: clients that can show it do so beside answers about the graph. */
export const graphViewUri = 'ui://loci/graph'

const extension = 'io.modelcontextprotocol/ui'
const mimeType = 'text/html;profile=mcp-app'

/** What a client declares that shows views. */
export const declaredViews: ClientCapabilities = { extensions: { [extension]: { mimeTypes: [mimeType] } } }

const Declared = z.object({
  extensions: z.object({ [extension]: z.object({ mimeTypes: z.array(z.string()).optional() }) }),
})

/** What tools with a view say of it in their `_meta`; the flat key is for clients of the first drafts. */
export const graphViewMeta = { ui: { resourceUri: graphViewUri }, 'ui/resourceUri': graphViewUri }

const pages = new Map<string, string | undefined>()

/** The page, one file without a network; undefined where the web app is not built. */
export function readGraphView(webDir: string) {
  if (!pages.has(webDir)) pages.set(webDir, readPage(webDir))
  const text = pages.get(webDir)
  if (text === undefined) return undefined
  const csp = { connectDomains: [], resourceDomains: [] }
  return { uri: graphViewUri, mimeType, text, _meta: { ui: { csp, prefersBorder: true } } }
}

function readPage(webDir: string): string | undefined {
  try {
    return readFileSync(join(webDir, 'chat', 'index.html'), 'utf8')
  } catch {
    return undefined
  }
}

/** What a client can do: in each request of protocol 2026-07-28, in the handshake of the older ones. */
export function capabilitiesOf(server: Server, { mcpReq }: ServerContext): ClientCapabilities | undefined {
  return capabilitiesIn(mcpReq.envelope) ?? server.getClientCapabilities()
}

/** What a client can do, from the `_meta` of a request. */
export const capabilitiesIn = (meta: unknown): ClientCapabilities | undefined =>
  Reflect.get(Object(meta), CLIENT_CAPABILITIES_META_KEY)

/** Whether a client may draw the answer of a tool as a graph. */
export const drawsAnswer = (
  tool: { hasView?: boolean },
  capabilities: ClientCapabilities | undefined,
): boolean => tool.hasView === true && showsViews(capabilities)

/**
 * Whether a client shows views. Of an older one over HTTP nothing is kept from the handshake; it is told of them, and
 * passes over what it does not know.
 */
export function showsViews(capabilities: ClientCapabilities | undefined): boolean {
  if (capabilities === undefined) return true
  const declared = Declared.safeParse(capabilities)
  return declared.success && (declared.data.extensions[extension].mimeTypes?.includes(mimeType) ?? true)
}
