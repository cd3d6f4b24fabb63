import type { HealthKind } from '@loci/contract/health'
import { beforeEach, expect, test } from 'vitest'
import { addMember, signIn } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { toolCaller } from '../../../test/proposer.ts'
import { checkAll } from '../checks/checks.service.ts'

const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')

describeOnBothDatabases('the health of a memory', (server) => {
  let alice: Person
  beforeEach(async () => {
    alice = await server().signUp('alice')
  })

  const create = async (
    name: string,
    ...observations: (string | { content: string; files: [{ path: string; hash: string }] })[]
  ) => (await alice.rest.createEntity({ body: { name, type: 'person', observations } })).entity
  const itemsOf = async (kind: HealthKind, person = alice) =>
    (await person.rest.getMemoryHealth({ query: { kind } })).items
  const changes = async () => (await alice.rest.listChanges({ query: { limit: '500' } })).changes

  test('is listed with the worst first, counts, and nothing of other accounts', async () => {
    const { id } = await create('Mara Lind', 'Lives in Berlin', 'Lives in Munich', 'She starts next Monday')
    await create('Ada', `The token is ${secret}`, 'Likes tea', 'Likes tea.')
    const bob = await server().signUp('bob')
    const health = await alice.rest.getMemoryHealth({ query: {} })
    expect(health.items.map(({ kind }) => kind)).toEqual(['secret', 'rivals', 'duplicate', 'not_standalone'])
    expect(health.counts).toMatchObject({ secret: 1, rivals: 1, duplicate: 1, not_standalone: 1, orphan: 0 })
    expect(health.checked).toEqual({ entities: 2, observations: 6 })
    expect(health.checkedAt).not.toBeNull()
    expect(JSON.stringify(health)).not.toContain(secret)
    expect(health.items[1]!.subjects[0]!.entity).toEqual({ id, name: 'Mara Lind', type: 'person' })
    const other = await bob.rest.getMemoryHealth({ query: {} })
    expect([other.items, other.checked]).toEqual([[], { entities: 0, observations: 0 }])
  })

  test('comes in pages and by kind', async () => {
    await create('Ada', 'Likes tea', 'Likes tea.', 'Runs at dawn', 'runs at dawn')
    const first = await alice.rest.getMemoryHealth({ query: { limit: '1' } })
    const query = { limit: '1', cursor: first.nextCursor! }
    const second = await alice.rest.getMemoryHealth({ query })
    expect(second.nextCursor).toBeNull()
    expect(first.items[0]!.id).not.toBe(second.items[0]!.id)
    expect(await itemsOf('secret')).toEqual([])
  })

  test('says when more entities have the same words than are shown', async () => {
    for (const name of ['Ada', 'Bo', 'Cleo', 'Dan', 'Eve', 'Finn'])
      await create(name, 'Kvist Robotics was the example that everybody used')
    const [item] = await itemsOf('duplicate')
    expect(item!.subjects).toHaveLength(5)
    expect(item!.evidence).toBe('6 entities have the same words. The first 5 are shown.')
  })

  test('forgets what was mended, by a fact that replaces another', async () => {
    const ada = await create('Ada', 'Lives in Berlin', 'Lives in Munich')
    const [item] = await itemsOf('rivals')
    const [newer, older] = item!.subjects.map(({ observation }) => observation!.id!)
    expect(item!.cure).toEqual({ action: 'replace' })
    const params = { id: ada.id, observationId: newer! }
    await alice.rest.updateObservation({ params, body: { replaces: [older!] } })
    expect(await itemsOf('rivals')).toEqual([])
    const { setId } = (await changes())[0]!
    await alice.rest.undoChangeSet({ params: { setId } })
    expect((await itemsOf('rivals'))[0]!.id).toBe(item!.id)
  })

  test('forgets what was confirmed, and names the file until then', async () => {
    const repository = 'shop'
    const body = { content: 'Retries', files: [{ path: 'retry.ts', hash: 'a', repository }] }
    const ada = await create('Ada')
    const { observations } = await alice.rest.createObservations({ params: { id: ada.id }, body })
    const files = [{ path: 'retry.ts', hash: null }]
    await alice.rest.verifyObservations({ body: { repository, files } })
    expect((await itemsOf('stale'))[0]!.evidence).toBe('retry.ts is gone.')
    await alice.rest.confirmObservation({ params: { id: observations[0]!.id } })
    expect(await itemsOf('stale')).toEqual([])
  })

  test('leaves out what somebody dismissed, in this space only, until they take it back', async () => {
    await create('Ada', 'Likes tea', 'Likes tea.')
    const { id } = (await itemsOf('duplicate'))[0]!
    await alice.rest.dismissHealthItem({ body: { id } })
    await alice.rest.dismissHealthItem({ body: { id } })
    const health = await alice.rest.getMemoryHealth({ query: {} })
    expect([health.items, health.counts.duplicate]).toEqual([[], 0])
    await alice.rest.undismissHealthItem({ body: { id } })
    expect(await itemsOf('duplicate')).toHaveLength(1)
    const { status } = await server().call('POST', '/api/health/memory/dismiss', {
      token: alice.token,
      body: { id: 'anything' },
    })
    expect(status).toBe(400)
  })

  test('proposes entities that may be one, without pairs that were dismissed as duplicates', async () => {
    const [one, other] = [await create('checkout-service', 'Sends orders'), await create('CheckoutService')]
    const [item] = await itemsOf('duplicate')
    expect(item!.subjects.map(({ entity }) => entity.id)).toEqual([one.id, other.id])
    expect(item!.cure).toEqual({ action: 'merge' })
    await alice.rest.dismissDuplicate({ body: { ids: [one.id, other.id] } })
    await create('Somebody else')
    expect(await itemsOf('duplicate')).toEqual([])
  })

  test('finds what nobody was told for 30 days, once a person has switched the counting on', async () => {
    await create('Harbour', 'The harbour has nine berths')
    await create('Quay', 'The quay is made of basalt')
    await create('Mole', 'The mole is made of granite')
    await create('Pier', 'The pier is closed in winter')
    const ask = () => toolCaller(server().url, alice.apiKey)('recall', { query: 'berths' })
    const day = 86_400_000
    const params = { id: 'spc_1' }
    const member = await addMember(server(), alice)
    await expect(member.updateSpace({ params, body: { countsTold: true } })).rejects.toMatchObject({
      code: 'not_permitted',
    })
    await ask()
    const told = () =>
      server().ctx.db.selectFrom('told_facts').select('times').where('times', '>', 0).execute()
    await server().ctx.usage.flush()
    expect(await told()).toEqual([])
    expect(await alice.rest.getMemoryHealth({ query: {} })).toMatchObject({ countsTold: false })

    const { space } = await alice.rest.updateSpace({
      params,
      body: { countsTold: true, keepsRecalls: false },
    })
    expect(space.countsTold).toBe(true)
    const { events } = await alice.rest.listAudit({ query: { actions: 'counts_switched,recalls_switched' } })
    expect(events.map(({ action, details }) => [action, details])).toEqual(
      expect.arrayContaining([
        ['counts_switched', { to: 'counted' }],
        ['recalls_switched', { to: 'not kept' }],
      ]),
    )
    server().clock.now += 31 * day
    alice = { ...alice, rest: await signIn(server(), alice) }
    expect(await itemsOf('never_recalled')).toEqual([])
    for (const _ of [1, 2]) await ask()
    await server().ctx.usage.flush()
    expect(await told()).toEqual([{ times: 2 }])
    server().clock.now += day / 2
    const call = toolCaller(server().url, alice.apiKey)
    await call('search_nodes', { query: 'granite' })
    await call('open_nodes', { names: ['Pier'] })
    await call('read_graph', {})
    await server().ctx.usage.flush()
    expect(await told()).toEqual([{ times: 2 }, { times: 1 }, { times: 1 }])
    const [item, ...others] = await itemsOf('never_recalled')
    expect([item!.subjects[0]!.observation!.content, others]).toEqual(['The quay is made of basalt', []])
    expect(item).toMatchObject({ cure: { action: 'forget' }, severity: 'low' })
    await create('New', 'The new pier is not old enough to be missed')
    server().clock.now += day / 2
    expect(await itemsOf('never_recalled')).toHaveLength(1)
    await alice.rest.updateSpace({ params, body: { countsTold: false } })
    expect(await told()).toEqual([])
    server().clock.now += day / 2
    expect(await itemsOf('never_recalled')).toEqual([])
  })

  test('erases an observation for good, and leaves what may stay', async () => {
    const headers = { 'idempotency-key': 'k1' }
    const body = { name: 'Ada', type: 'person', observations: [`Staging, user ada: the token is ${secret}`] }
    const made = await server().call('POST', '/api/entities', { token: alice.token, body, headers })
    const entityId: string = made.body.entity.id
    const id: string = made.body.entity.observations[0].id
    const [item] = await itemsOf('secret')
    const content = item!.cure.content!
    expect(content).toBe('Staging, user ada: the token is [redacted: github-token]')
    const path = `/api/observations/${id}/erase`
    const erased = await server().call('POST', path, { token: alice.token, body: { content } })
    expect(erased.status).toBe(200)
    expect(erased.body.observation).toMatchObject({
      content,
      createdAt: made.body.entity.observations[0].createdAt,
    })
    const { entity } = await alice.rest.getEntity({ params: { id: entityId } })
    expect(entity.observations.map((one) => one.content)).toEqual([content])
    const log = await changes()
    expect(JSON.stringify(log)).not.toContain(secret)
    expect(log.map(({ operation }) => operation)).toContain('observation_erased')
    expect((await alice.rest.search({ query: { query: secret } })).results).toEqual([])
    const past = await alice.rest.getEntity({ params: { id: entityId }, query: { asOf: '2' } })
    expect(JSON.stringify(past)).not.toContain(secret)
    const undone = await server().call('POST', `/api/changes/sets/${log[0]!.setId}/undo`, {
      token: alice.token,
    })
    expect(undone.body.error.code).toBe('undo_conflict')
    const again = await server().call('POST', '/api/entities', { token: alice.token, body, headers })
    expect(again.body.entity?.observations?.[0].id).not.toBe(id)
    expect((await server().call('POST', path, { token: alice.token })).status).toBe(404)
    expect(await itemsOf('secret')).toEqual([])
    for await (const difference of checkAll(server().ctx)) expect.fail(difference.message)
  })

  test('leaves what may stay of a fact in its place among those that replace each other', async () => {
    const ada = await create('Ada', 'The token is new')
    const params = { id: ada.id }
    const add = async (content: string, replaces: string[], at: string) =>
      (await alice.rest.createObservations({ params, body: { content, replaces, at } })).observations[0]!
    const middle = await add(`The token is ${secret}`, [ada.observations[0]!.id], '2026-02')
    const last = await add('The token is old', [middle.id], '2026-03')
    const erased = await server().call('POST', `/api/observations/${middle.id}/erase`, {
      token: alice.token,
      body: { content: 'The token is secret' },
    })
    expect(erased.body.observation).toMatchObject({ replacedBy: last.id, until: '2026-03' })
    const read = async () => (await alice.rest.getEntity({ params })).entity.observations
    const stored = await read()
    expect(stored.map(({ content, state }) => [content, state]).sort()).toEqual([
      ['The token is new', 'replaced'],
      ['The token is old', undefined],
      ['The token is secret', 'replaced'],
    ])
    for await (const difference of checkAll(server().ctx)) expect.fail(difference.message)
    await alice.rest.deleteObservation({ params: { ...params, observationId: last.id } })
    const left = (await read()).find(({ content }) => content === 'The token is secret')
    expect(left).not.toHaveProperty('until')
    expect(left).toMatchObject({ at: '2026-02', replaces: [ada.observations[0]!.id] })
  })

  test('erases what only history has', async () => {
    const ada = await create('Ada', `The token is ${secret}`)
    const observationId = ada.observations[0]!.id
    const path = `/api/observations/${observationId}/erase`
    await alice.rest.deleteObservation({ params: { id: ada.id, observationId } })
    expect(JSON.stringify(await changes())).toContain(secret)
    const erased = await server().call('POST', path, { token: alice.token })
    expect([erased.status, erased.body]).toEqual([200, { observation: null }])
    expect(JSON.stringify(await changes())).not.toContain(secret)
    for await (const difference of checkAll(server().ctx)) expect.fail(difference.message)
  })
})
