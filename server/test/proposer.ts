import { createRestClient } from '@loci/client/rest'
import { checkedFetch } from './checked-fetch.ts'
import type { Person } from './harness.ts'
import { postMcp } from './mcp-raw.ts'

/** Calls a tool with a token. */
export const toolCaller =
  (url: string, token: string, path = '/mcp') =>
  async (name: string, args: object) =>
    (await postMcp(url + path, token, 'current', { method: 'tools/call', params: { name, arguments: args } }))
      .message.result

/** A key of a person whose writes wait for a review. */
export async function proposerOf({ rest, url }: Person, name = 'codex') {
  const { id, apiKey: token } = await rest.createKey({ body: { name, writes: 'propose' } })
  const own = createRestClient({ baseUrl: url, token: () => token, fetch: checkedFetch })
  return { id, token, rest: own, callTool: toolCaller(url, token) }
}
