import { matchesMax } from '@loci/contract/conversations'
import { expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { talk } from '../../../test/talk.ts'

describeOnBothDatabases('finding within a conversation', (server) => {
  const found = async ({ rest }: Person, id: string, query: string) =>
    (await rest.findInConversation({ params: { id }, query: { query } })).matches.map(({ seq }) => seq)

  test('lists the turns that contain the text, in order and nothing of other conversations', async () => {
    const alice = await server().signUp()
    const id = await talk(alice, 'shop', [
      { role: 'person', text: 'Why does the\n  Übergabe fail?' },
      { role: 'agent', text: 'Because of the cache.' },
      { role: 'tool', text: 'ok', tool: { name: 'Bash', input: 'rm -r cache' }, files: ['src/cache.ts'] },
      { role: 'agent', text: 'It passes now.' },
    ])
    await talk(alice, 'garden', [{ role: 'person', text: 'the cache' }])
    expect(await found(alice, id, 'CACHE')).toEqual([2, 3])
    expect(await found(alice, id, 'the übergabe')).toEqual([1])
    expect(await found(alice, id, 'src/cache.ts')).toEqual([3])
    expect(await found(alice, id, 'cache passes')).toEqual([])
    const { turns } = await alice.rest.readConversation({ params: { id }, query: {} })
    const { matches, isComplete } = await alice.rest.findInConversation({
      params: { id },
      query: { query: 'passes' },
    })
    expect([matches, isComplete]).toEqual([[{ turnId: turns[3]!.id, seq: 4 }], true])
  })

  test('ends at its bound, and says so', async () => {
    const alice = await server().signUp()
    const said = Array.from({ length: matchesMax }, () => ({ role: 'person' as const, text: 'again' }))
    const id = await talk(alice, 'shop', said, { title: 'Long' })
    expect(await alice.rest.findInConversation({ params: { id }, query: { query: 'again' } })).toMatchObject({
      isComplete: true,
      matches: { length: matchesMax },
    })
    const [last] = await Promise.all([
      alice.rest.storeTurns({
        body: {
          conversation: { agent: 'claude-code', externalId: 'Long' },
          turns: [{ externalId: 'last', at: '2026-05-05', role: 'agent', text: 'and again' }],
        },
      }),
    ])
    expect(last.stored).toBe(1)
    expect(await alice.rest.findInConversation({ params: { id }, query: { query: 'again' } })).toMatchObject({
      isComplete: false,
      matches: { length: matchesMax },
    })
  })
})
