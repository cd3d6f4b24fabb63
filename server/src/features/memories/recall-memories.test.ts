import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

type Fact = { content: string; createdAt: string }
type Memory = Fact & {
  entity: { name: string }
  before: Fact[]
  after: Fact[]
  explain?: Record<string, number>
}
type Recalled = { observations: Memory[]; total: number; more: boolean }

const charactersPerToken = 4

describeOnBothDatabases('the recall tool', (server) => {
  let person: Person
  let agent: Client
  beforeAll(async () => {
    person = await server().signUp()
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
  })
  afterAll(() => agent.close())

  const remember = (name: string, observations: string[]) =>
    person.rest.createEntity({ body: { name, type: 'note', observations } })

  async function recall(args: Record<string, unknown>) {
    const { structuredContent, content } = await agent.callTool({ name: 'recall', arguments: args })
    const [text] = content as { text: string }[]
    return { ...(structuredContent as Recalled), text: text?.text ?? '' }
  }

  test('answers with entity, date and neighbours, and each text once', async () => {
    await remember('Harbour talk', [
      'The lighthouse keeper retired',
      'Who follows the lighthouse keeper?',
      'Marta takes over the lighthouse in May',
      'She was a sailor before',
    ])
    const { observations, text } = await recall({ query: 'who is the new lighthouse keeper', context: 2 })
    const told = observations.flatMap(({ content, before, after }) =>
      [...before, { content }, ...after].map((fact) => fact.content),
    )
    expect(told.sort()).toEqual([...new Set(told)])
    expect(told).toHaveLength(4)
    expect(text).toContain(`Harbour talk (note), ${observations[0]?.createdAt.slice(0, 10)}: `)
    expect(text.match(/Marta takes over/g)).toHaveLength(1)
  })

  test('the same text of one entity is told once, however often it was stored', async () => {
    await remember(
      'Ferry',
      Array.from({ length: 5 }, () => 'The ferry leaves at nine'),
    )
    const { observations, more } = await recall({ query: 'when does the ferry leave', context: 3 })
    expect(observations.map(({ content }) => content)).toEqual(['The ferry leaves at nine'])
    expect(observations[0]).toMatchObject({ before: [], after: [] })
    expect(more).toBe(false)
  })

  test('keeps to the budget and says that there is more', async () => {
    const texts = Array.from(
      { length: 40 },
      (_, i) => `The orchard has tree number ${i}, planted by hand last year`,
    )
    await remember('Orchard', texts)
    const small = await recall({ query: 'orchard tree', maxTokens: 200, limit: 40 })
    expect(small.text.length).toBeLessThan(200 * charactersPerToken * 1.2)
    expect(small.observations.length).toBeGreaterThan(1)
    expect(small).toMatchObject({ total: 40, more: true })
    expect(small.text).toContain(`${small.observations.length} of 40 matches`)
    const large = await recall({ query: 'orchard tree', maxTokens: 20_000, limit: 40 })
    expect(large).toMatchObject({ total: 40, more: false })
    expect(large.observations).toHaveLength(40)
  })

  test('of a text that is longer than the budget it tells the part that answers', async () => {
    const filler = Array.from({ length: 300 }, (_, i) => `Page ${i} is about something else.`).join(' ')
    await remember('Ledger', [`${filler} The windmill was sold for ninety crowns. ${filler}`])
    const { observations, text } = await recall({ query: 'windmill sold crowns', maxTokens: 300 })
    expect(observations[0]?.content).toContain('The windmill was sold for ninety crowns.')
    expect(text.length).toBeLessThan(300 * charactersPerToken)
  })

  test('scripts without spaces cost more of the budget', async () => {
    await remember(
      '日记',
      Array.from({ length: 20 }, (_, i) => `今天我们去了第${i}个花园看樱花然后喝茶聊天直到晚上才回家`),
    )
    const { observations, text } = await recall({ query: '花园樱花', maxTokens: 200, limit: 20, context: 0 })
    expect(observations.length).toBeGreaterThan(1)
    expect(text.length).toBeLessThan(200 * 1.5)
  })

  test('tells why each was found when asked', async () => {
    await remember('Kiln', ['The kiln fires at twelve hundred degrees'])
    const [plain] = (await recall({ query: 'kiln degrees' })).observations
    const [explained] = (await recall({ query: 'kiln degrees', explain: true })).observations
    expect(plain?.explain).toBeUndefined()
    expect(explained?.explain?.words).toBeGreaterThan(0)
  })
})
