import { expect, test } from 'vitest'
import { restWith } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { talk } from '../../../test/talk.ts'
import { sweepConversations } from './conversation-sweep.ts'

describeOnBothDatabases('how long conversations are kept', (server) => {
  const dayMs = 86_400_000
  const daysAgo = (days: number) => ({ title: `${days} days`, startedAt: server().clock.now - days * dayMs })
  const limit = (person: Person, id: string, conversationDays: number | null) =>
    person.rest.updateSpace({ params: { id }, body: { conversationDays } })
  const titles = async ({ rest }: Person, space = 'spc_1') =>
    (await rest.listConversations({ query: {}, headers: { 'loci-space': space } })).conversations.map(
      ({ title }) => title,
    )

  test('is chosen per space, and touches no other', async () => {
    const alice = await server().signUp()
    const bob = await server().signUp('bob')
    const said = [{ role: 'person' as const, text: 'hello' }]
    for (const person of [alice, bob])
      for (const days of [1, 9, 40]) await talk(person, 'shop', said, daysAgo(days))
    expect((await limit(alice, 'spc_1', 30)).space.conversationDays).toBe(30)
    await sweepConversations(server().ctx)
    expect(await titles(alice)).toEqual(['1 days', '9 days'])
    expect(await titles(bob)).toEqual(['1 days', '9 days', '40 days'])
    await limit(alice, 'spc_1', 7)
    const shorter = { ...server().ctx.config, conversationDays: 8 }
    await sweepConversations({ ...server().ctx, config: shorter })
    expect([await titles(alice), await titles(bob)]).toEqual([['1 days'], ['1 days']])
    expect((await limit(alice, 'spc_1', null)).space.conversationDays).toBe(null)
    await sweepConversations(server().ctx)
    expect(await titles(alice)).toEqual(['1 days'])
  })

  test('is noted in the audit log, and no choice of a key or of somebody who may not review', async () => {
    const alice = await server().signUp()
    await limit(alice, 'spc_1', 30)
    const { events } = await alice.rest.listAudit({ query: { limit: '1' } })
    expect(events[0]).toMatchObject({
      action: 'conversation_days_changed',
      details: { from: 'no limit', to: '30 days' },
    })
    const { apiKey } = await alice.rest.createKey({ body: { name: 'k', permissions: [] } })
    await expect(
      restWith(server(), apiKey).updateSpace({
        params: { id: 'spc_1' },
        body: { conversationDays: 1 },
      }),
    ).rejects.toMatchObject({ code: 'not_permitted' })
    for (const conversationDays of [0, 1.5, 40_000])
      await expect(limit(alice, 'spc_1', conversationDays)).rejects.toMatchObject({
        code: 'validation_failed',
      })
  })
})
