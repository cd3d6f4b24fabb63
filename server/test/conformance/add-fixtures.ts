import type { Resource, Server, ServerContext } from '@modelcontextprotocol/server'
import { pngBase64 } from './content.ts'
import { fixturePrompts } from './prompts.ts'
import { fixtureTools } from './tools.ts'

type Handler<Result> = (request: object, ctx: ServerContext) => Promise<Result>

const listedTools = Object.keys(fixtureTools).map((name) => ({
  name,
  description: 'A fixture of the conformance tests',
  inputSchema: { type: 'object' as const },
}))
const listedPrompts = Object.entries(fixturePrompts).map(([name, { listed }]) => ({ name, ...listed }))
const listedResources: Resource[] = ['test://static-text', 'test://static-binary'].map((uri) => ({
  uri,
  name: uri,
  description: 'A fixture of the conformance tests',
}))
const templatePattern = /^test:\/\/template\/([^/]+)\/data$/

/**
 * Adds the fixtures that the conformance scenarios require in front of our own handlers. Everything else
 * reaches the original handler, so lists, unknown names, capabilities and caching are those of the product.
 */
export function addFixtures(server: Server): Server {
  server.registerCapabilities({ logging: {} })
  const tools = ownHandler<object>(server, 'tools/call')
  const toolList = ownHandler<{ tools: object[] }>(server, 'tools/list')
  const resources = ownHandler<object>(server, 'resources/read')
  const resourceList = ownHandler<{ resources: Resource[] }>(server, 'resources/list')
  const prompts = ownHandler<object>(server, 'prompts/get')
  const completions = ownHandler<object>(server, 'completion/complete')
  const promptList = ownHandler<{ prompts: object[] }>(server, 'prompts/list')

  server.setRequestHandler('tools/list', async (request, ctx) => {
    const own = await toolList(request, ctx)
    return { ...own, tools: [...own.tools, ...listedTools] } as { tools: typeof listedTools }
  })
  server.setRequestHandler('tools/call', async (request, ctx) => {
    const fixture = fixtureTools[request.params.name]
    return fixture === undefined ? ((await tools(request, ctx)) as { content: [] }) : fixture(ctx)
  })
  server.setRequestHandler('resources/list', async (request, ctx) => {
    const own = await resourceList(request, ctx)
    return { ...own, resources: [...own.resources, ...listedResources] }
  })
  server.setRequestHandler('resources/read', async (request, ctx) => {
    const content = readFixture(request.params.uri)
    return content === undefined
      ? ((await resources(request, ctx)) as { contents: [] })
      : { contents: [content] }
  })
  server.setRequestHandler('prompts/list', async (request, ctx) => {
    const own = await promptList(request, ctx)
    return { ...own, prompts: [...own.prompts, ...listedPrompts] } as { prompts: typeof listedPrompts }
  })
  server.setRequestHandler('prompts/get', async (request, ctx) => {
    const fixture = fixturePrompts[request.params.name]
    if (fixture === undefined) return (await prompts(request, ctx)) as { messages: [] }
    return fixture.get(request.params.arguments ?? {}, ctx)
  })
  server.setRequestHandler('completion/complete', async (request, ctx) => {
    const { ref } = request.params
    const isFixture = ref.type === 'ref/prompt' && fixturePrompts[ref.name] !== undefined
    const nothing = { completion: { values: [] } }
    return isFixture ? nothing : ((await completions(request, ctx)) as typeof nothing)
  })
  return server
}

/** The handler that the product registered; the SDK has no public way to get it. */
function ownHandler<Result>(server: Server, method: string): Handler<Result> {
  const handlers: unknown = Reflect.get(server, '_requestHandlers')
  const handler = handlers instanceof Map ? handlers.get(method) : undefined
  if (handler === undefined) throw new Error(`The product does not handle ${method}`)
  return handler
}

function readFixture(uri: string) {
  if (uri === 'test://static-text')
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: pngBase64 }
  const id = templatePattern.exec(uri)?.[1]
  if (id === undefined) return undefined
  const data = { id, templateTest: true, data: `Data for ID: ${id}` }
  return { uri, mimeType: 'application/json', text: JSON.stringify(data) }
}
