import { createRestClient } from '@loci/client/rest'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'

describeOnBothDatabases('what a conversation led to', (server) => {
  test('is told in lists by the entities of most of its facts, to those who may read the memory', async () => {
    const { rest, url } = await server().signUp()
    const { conversationId } = await rest.storeTurns({
      body: {
        conversation: { agent: 'codex', externalId: '1' },
        turns: [{ externalId: '1', at: '2026-11-01', role: 'person', text: 'said' }],
      },
    })
    const facts = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ content: `Fact ${n}`, source: { conversationId } }))
    for (const [name, count] of [
      ['One', 1],
      ['Four', 4],
      ['Two', 2],
      ['Three', 3],
    ] as const)
      await rest.createEntity({ body: { name, type: 'thing', observations: facts(count) } })
    const [conversation] = (await rest.listConversations()).conversations
    expect(conversation).toMatchObject({ facts: 10, ledToCount: 4 })
    expect(conversation!.ledTo!.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'Four thing',
      'Three thing',
      'Two thing',
    ])
    const { apiKey } = await rest.createKey({ body: { name: 'k', permissions: ['conversations:read'] } })
    const narrow = createRestClient({ baseUrl: url, token: () => apiKey })
    const [seen] = (await narrow.listConversations()).conversations
    expect(seen).toMatchObject({ facts: 10 })
    expect(seen).not.toHaveProperty('ledTo')
    expect(seen).not.toHaveProperty('ledToCount')
  })
})
