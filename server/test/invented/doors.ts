import type { RestClient } from '@loci/client/rest'
import { fieldsIn } from '../fields-in.ts'
import { connectOverHttp } from '../mcp-clients.ts'
import { readAnswer, type ShownAnswer } from './answers.ts'

export type Doors = {
  rest: (question: string) => Promise<ShownAnswer>
  mcp: (question: string) => Promise<ShownAnswer>
  close: () => Promise<void>
}

/** Search over REST and the recall tool, both at their defaults. */
export async function openDoors(
  server: { url: string },
  { rest, apiKey }: { rest: RestClient; apiKey: string },
): Promise<Doors> {
  const agent = await connectOverHttp(server, apiKey, 'auto')
  return {
    rest: async (query) => readAnswer(await rest.searchObservations({ query: { query } })),
    mcp: async (query) => {
      return readAnswer(fieldsIn(await agent.callTool({ name: 'recall', arguments: { query } })))
    },
    close: () => agent.close(),
  }
}
