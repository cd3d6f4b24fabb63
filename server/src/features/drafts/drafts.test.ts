import { expect, test } from 'vitest'
import { addMember, restWith } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { type Said, talk } from '../../../test/talk.ts'
import { checkAll } from '../checks/checks.service.ts'

const person = (text: string): Said => ({ role: 'person', text })

describeOnBothDatabases('drafts', (server) => {
  const said: Said[] = [
    person('We decided to keep the sessions in PostgreSQL. Can you change the code?'),
    { role: 'agent', text: 'Done. The root cause was that Redis lost its data on restart.' },
    person('From now on, run the linter before you commit.'),
    person('How does the cart work?'),
  ]
  const tellTurns = (alice: Person, turns = said, project = 'shop') =>
    talk(alice, project, turns, { startedAt: server().clock.now - 3_600_000 })
  const open = async ({ rest }: Person, query = {}) => (await rest.listDrafts({ query })).drafts
  const texts = async (alice: Person, query = {}) =>
    (await open(alice, query)).map(({ changes }) => changes[0]!.content)

  test('are what turns say that looks worth remembering, with the turn as source', async () => {
    const alice = await server().signUp()
    const id = await tellTurns(alice)
    const { drafts, open: waiting, thisWeek } = await alice.rest.listDrafts({ query: {} })
    expect([waiting, thisWeek]).toEqual([3, 3])
    expect(drafts.map(({ kind, changes, by }) => [kind, by.role, changes[0]?.entity.name])).toEqual([
      ['rule', 'person', 'user'],
      ['fix', 'agent', 'shop'],
      ['decision', 'person', 'shop'],
    ])
    const { turns } = await alice.rest.readConversation({ params: { id } })
    expect(drafts[2]).toMatchObject({
      status: 'open',
      source: { conversationId: id, turnId: turns[0]!.id },
      changes: [{ content: 'We decided to keep the sessions in PostgreSQL.' }],
    })
    expect((await alice.rest.listEntities({ query: {} })).entities).toEqual([])
  })

  test('of facts are about the project, or about the user who tells of their own life', async () => {
    const alice = await server().signUp()
    const facts = [
      'Dana is the one who approves releases, Marek only does hotfixes.',
      "I'm moving to the Lisbon office in March, so my day begins one hour earlier.",
    ]
    await tellTurns(alice, facts.map(person))
    const drafts = await open(alice)
    expect(drafts.map(({ kind, changes }) => [kind, changes[0]!.content, changes[0]!.entity.name])).toEqual([
      ['fact', facts[1], 'user'],
      ['fact', facts[0], 'shop'],
    ])
  })

  test('of a sentence that begins with the name of an entity are about it', async () => {
    const alice = await server().signUp()
    await alice.rest.createEntity({ body: { name: 'Dana', type: 'person' } })
    await alice.rest.createEntity({ body: { name: 'staging db', type: 'service' } })
    const facts = [
      'Dana is the one who approves releases, Marek only does hotfixes.',
      'The staging db is on db3.internal since June, and nobody may write to it.',
    ]
    await tellTurns(alice, facts.map(person))
    const drafts = await open(alice)
    expect(drafts.map(({ changes }) => changes[0]!.entity)).toEqual([
      { name: 'staging db', type: 'service' },
      { name: 'Dana', type: 'person' },
    ])
    const { entityId } = await alice.rest.keepDraft({ params: { id: drafts[1]!.id }, body: {} })
    const { entity } = await alice.rest.getEntity({ params: { id: entityId } })
    expect(entity.observations.map(({ content }) => content)).toEqual([facts[0]])
  })

  test('wait as they are while those who would keep them may only propose', async () => {
    const alice = await server().signUp()
    await tellTurns(alice)
    const permissions = ['memory:read', 'memory:write', 'conversations:read'] as const
    const { apiKey } = await alice.rest.createKey({
      body: { name: 'codex', writes: 'propose', permissions: [...permissions] },
    })
    await alice.rest.updateSpace({ params: { id: 'spc_1' }, body: { writes: 'propose' } })
    const member = await addMember(server(), alice)
    const params = { id: (await open(alice))[0]!.id }
    for (const rest of [restWith(server(), apiKey), member])
      await expect(rest.keepDraft({ params, body: {} })).rejects.toMatchObject({ code: 'not_proposable' })
    expect(await open(alice)).toHaveLength(3)
    expect((await alice.rest.listProposals()).open).toBe(0)
  })

  test('are listed page by page, by status, project, conversation and time', async () => {
    const alice = await server().signUp()
    const shop = await tellTurns(alice)
    await tellTurns(alice, [person('I prefer tabs over spaces.')], 'mill')
    expect(await texts(alice, { project: 'mill' })).toEqual(['I prefer tabs over spaces.'])
    expect(await texts(alice, { conversation: shop })).toHaveLength(3)
    expect(await texts(alice, { conversation: 'cnv_nothing' })).toEqual([])
    expect(await texts(alice, { since: new Date(server().clock.now).toISOString() })).toEqual([])
    const first = await alice.rest.listDrafts({ query: { limit: '3' } })
    const next = await alice.rest.listDrafts({ query: { limit: '3', cursor: first.nextCursor! } })
    expect(new Set([...first.drafts, ...next.drafts].map(({ id }) => id)).size).toBe(4)
    expect(next.nextCursor).toBeNull()
  })

  test('are kept as facts of their day and turn, as they were said or corrected', async () => {
    const alice = await server().signUp()
    await tellTurns(alice)
    const [rule, fix, decision] = await open(alice)
    const kept = await alice.rest.keepDraft({ params: { id: decision!.id }, body: {} })
    expect(kept.draft).toMatchObject({ status: 'accepted', decidedAt: expect.any(String) })
    const { entity } = await alice.rest.getEntity({ params: { id: kept.entityId } })
    expect(entity).toMatchObject({ name: 'shop', type: 'project' })
    expect(entity.observations).toEqual([
      expect.objectContaining({
        id: kept.observationId,
        content: 'We decided to keep the sessions in PostgreSQL.',
        at: decision!.at.slice(0, 10),
        source: decision!.source,
      }),
    ])
    const body = { content: 'Redis loses its data on restart', entity: { name: 'Redis', type: 'technology' } }
    const corrected = await alice.rest.keepDraft({ params: { id: fix!.id }, body })
    const { entity: redis } = await alice.rest.getEntity({ params: { id: corrected.entityId } })
    expect(redis).toMatchObject({
      name: 'Redis',
      observations: [{ content: body.content, source: fix!.source }],
    })
    expect((await open(alice)).map(({ id }) => id)).toEqual([rule!.id])
    const again = await alice.rest.keepDraft({ params: { id: decision!.id }, body: {} })
    expect(again.observationId).toBe(kept.observationId)
    for await (const { message } of checkAll(server().ctx)) expect.fail(message)
  })

  test('are dropped for good: the same sentence does not come again', async () => {
    const alice = await server().signUp()
    await tellTurns(alice)
    for (const { id } of await open(alice)) await alice.rest.dropDraft({ params: { id } })
    await tellTurns(
      alice,
      said.map((turn) => ({ ...turn, text: turn.text.toUpperCase() })),
    )
    await tellTurns(alice)
    expect(await open(alice)).toEqual([])
    const [dropped] = await open(alice, { status: 'rejected' })
    expect(dropped).toMatchObject({ status: 'rejected' })
    const call = (action: string) =>
      server().call('POST', `/api/drafts/${dropped!.id}/${action}`, { token: alice.token, body: {} })
    expect((await call('drop')).status).toBe(200)
    expect((await call('keep')).body.error.code).toBe('draft_decided')
  })

  test('go with their conversation; kept facts stay', async () => {
    const alice = await server().signUp()
    const id = await tellTurns(alice)
    const [rule] = await open(alice)
    await alice.rest.keepDraft({ params: { id: rule!.id }, body: {} })
    await alice.rest.deleteConversation({ params: { id } })
    expect(await open(alice)).toEqual([])
    expect(await open(alice, { status: 'accepted' })).toEqual([])
    expect((await alice.rest.listEntities({ query: {} })).entities).toHaveLength(1)
  })

  test('are not made of what was said more than a month ago', async () => {
    const alice = await server().signUp()
    await talk(alice, 'shop', said, { startedAt: server().clock.now - 40 * 86_400_000 })
    expect(await open(alice)).toEqual([])
  })
})
