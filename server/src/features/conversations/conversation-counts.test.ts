import { beforeEach, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

describeOnBothDatabases('the numbers of conversations', (server) => {
  let alice: Person
  beforeEach(async () => {
    alice = await server().signUp()
  })

  const store = (externalId: string, agent: string, project?: string, space?: string) =>
    alice.rest.storeTurns({
      body: {
        conversation: { agent, externalId, ...(project && { project: { name: project } }) },
        turns: [0, 1].map((n) => ({ externalId: `${n}`, at: '2026-11-01', role: 'person', text: 'four' })),
      },
      ...(space && { headers: { 'loci-space': space } }),
    })
  const of = (conversations: number) => ({
    conversations,
    turns: conversations * 2,
    bytes: conversations * 8,
  })

  const noneOnly = { facts: 0, only: { facts: 0, to_decide: 0, failed: 0 } }

  test('are none at first', async () => {
    expect(await alice.rest.countConversations()).toEqual({
      ...of(0),
      ...noneOnly,
      isComplete: true,
      serverDays: null,
      agents: [],
      projects: [],
    })
  })

  test('are told by agent and project, the largest first', async () => {
    await store('1', 'codex', 'shop')
    await store('2', 'claude-code', 'shop')
    await store('3', 'claude-code', 'engine')
    await store('4', 'claude-code')
    expect(await alice.rest.countConversations()).toEqual({
      ...of(4),
      ...noneOnly,
      isComplete: true,
      serverDays: null,
      agents: [
        { agent: 'claude-code', ...of(3) },
        { agent: 'codex', ...of(1) },
      ],
      projects: [
        { name: 'shop', ...of(2) },
        { name: 'engine', ...of(1) },
      ],
    })
  })

  test('are of one space and one account', async () => {
    const bob = await server().signUp()
    const { space } = await alice.rest.createSpace({ body: { name: 'Other' } })
    await store('1', 'codex', 'shop', space.id)
    expect((await alice.rest.countConversations()).conversations).toBe(0)
    expect((await bob.rest.countConversations()).conversations).toBe(0)
    const there = await alice.rest.countConversations({ headers: { 'loci-space': space.id } })
    expect(there.conversations).toBe(1)
  })
})
