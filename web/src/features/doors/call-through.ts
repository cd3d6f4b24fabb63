type ToolAnswer = {
  result?: { content?: { type: string; text?: string }[]; isError?: boolean }
  error?: { code?: unknown; message?: string }
}

/** Calls the tool `recall` over MCP with a key, as an agent does; throws with the server's words if it is refused. */
export async function recallThrough(
  key: string,
  spaceId: string,
  query: string,
): Promise<{ text: string; ms: number }> {
  const startedAt = performance.now()
  const answer = await fetch(`/mcp/spaces/${encodeURIComponent(spaceId)}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'recall', arguments: { query } },
    }),
  })
  const body = (await answer.json()) as ToolAnswer
  const texts = body.result?.content?.flatMap(({ text }) => text ?? []) ?? []
  if (!answer.ok || body.result === undefined || body.result.isError)
    throw new Error(texts[0] ?? body.error?.message ?? 'The call was refused')
  return { text: texts.join('\n\n'), ms: Math.round(performance.now() - startedAt) }
}
