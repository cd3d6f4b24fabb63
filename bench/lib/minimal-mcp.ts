// A program: a high-level SDK server with one tool that returns a fixed text.
import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const answer = {
  entities: [{ name: 'Entity 5', entityType: 'person', observations: ['one', 'two', 'three'] }],
  relations: [],
}
const Named = z.object({ name: z.string(), entityType: z.string(), observations: z.array(z.string()) })
const outputSchema = z.object({ entities: z.array(Named), relations: z.array(z.object({})) })

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'minimal', version: '1.0.0' })
  server.registerTool(
    'open_nodes',
    { description: 'Open nodes', inputSchema: z.object({ names: z.array(z.string()) }), outputSchema },
    async () => ({
      content: [{ type: 'text', text: JSON.stringify(answer, null, 2) }],
      structuredContent: answer,
    }),
  )
  return server
})
const server = createServer(toNodeHandler(handler))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}\n`)
})
