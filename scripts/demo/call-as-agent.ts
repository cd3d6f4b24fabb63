export type DemoAgent = { url: string; apiKey: string; agent: string }

/** Calls a tool over MCP as an agent with this name. */
export async function callAsAgent(
  { url, apiKey, agent }: DemoAgent,
  name: string,
  args: Record<string, unknown>,
): Promise<void> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'user-agent': `${agent}/1.0`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const { result } = (await answer.json()) as { result?: { isError?: boolean } }
  if (!answer.ok || result === undefined || result.isError) throw new Error(`${name} failed as ${agent}`)
}
