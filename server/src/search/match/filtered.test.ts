import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../../test/agent.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { importLines } from '../../../test/import-lines.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

const logged = Array.from({ length: 9_000 }, (_, i) => `Deploy ${10_000 + i} of the night went through`)
const decided = Array.from({ length: 20 }, (_, i) => ({
  content: `Decided to deploy ${i}`,
  at: '2019-05-06',
}))

describeOnBothDatabases('a filter that leaves out thousands of newer facts with the same words', (server) => {
  let agent: Client
  beforeAll(async () => {
    const person = await server().signUp()
    const lines = [
      { type: 'entity', name: 'Release', entityType: 'decision', observations: decided },
      { type: 'entity', name: 'Nightly', entityType: 'log', observations: logged },
    ]
    await importLines(server(), person, lines.map((line) => JSON.stringify(line)).join('\n'))
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
  }, 60_000)
  afterAll(() => agent.close())

  test.each([{ types: ['decision'] }, { before: '2020' }])('%o finds the older ones', async (filter) => {
    const { structured } = await ask(agent, 'recall', {
      query: 'deploy',
      limit: 20,
      maxTokens: 5_000,
      ...filter,
    })
    const { observations } = structured as { observations: { entity: { name: string } }[] }
    expect(observations.map(({ entity }) => entity.name)).toEqual(decided.map(() => 'Release'))
  })

  test('what finds nothing does not say that nothing was stored in the time that the question names', async () => {
    const { text } = await ask(agent, 'recall', { query: 'deploys before 2019', before: '2019' })
    expect(text).toBe('Nothing is remembered about this; ask in other words.')
  })
})
