import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setPlan } from '../../../test/accounts.ts'
import { ask } from '../../../test/agent.ts'
import { crowded, crowdLines, crowdQuestions as questions } from '../../../test/crowd.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { importLines } from '../../../test/import-lines.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

const importMs = 120_000

describeOnBothDatabases('an entity named in full that all others mention or resemble', (server) => {
  let person: Person
  let agent: Client
  beforeAll(async () => {
    person = await server().signUp()
    await setPlan(server(), person, 'power-user')
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
  })
  afterAll(() => agent.close())

  describe.each([
    { entities: 10_000, stored: 0 },
    { entities: 30_000, stored: 10_000 },
  ])('among $entities entities', ({ entities, stored }) => {
    beforeAll(() => importLines(server(), person, crowdLines(entities, stored)), importMs)

    type Fact = { entity: { name: string }; content: string }
    const factsFor = async (args: object) => {
      const { structured } = await ask(agent, 'recall', args)
      const { observations = [] } = structured as { observations?: Fact[] }
      return observations.map(({ entity, content }) => `${entity.name}: ${content}`)
    }
    const own = crowded.facts.map((fact) => `${crowded.name}: ${fact}`).sort()

    test.each(questions)('"%s" recalls its own facts first', async (query) => {
      const facts = await factsFor({ query })
      expect(facts.slice(0, own.length).sort()).toEqual(own)
      expect(facts.length).toBeGreaterThan(own.length)
    })

    test.each(questions)('"%s" limited to its type recalls them alone', async (query) => {
      expect((await factsFor({ query, types: [crowded.type] })).sort()).toEqual(own)
    })

    test('a question about one of its facts has that fact first', async () => {
      expect((await factsFor({ query: 'How is checkout-service deployed?' }))[0]).toBe(
        'checkout-service: Deployed to Kubernetes by Argo CD',
      )
    })

    test.each(questions)('search_nodes for "%s" finds it first', async (query) => {
      const { structured } = await ask(agent, 'search_nodes', { query })
      expect((structured as { entities: { name: string }[] }).entities[0]?.name).toBe(crowded.name)
    })
  })
})
