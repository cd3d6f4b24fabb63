import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { operationNumbers } from '../../rows/operations.ts'

describeOnBothDatabases('entities', (server) => {
  const spaceOf = async (person: Person) =>
    server()
      .ctx.db.selectFrom('spaces')
      .selectAll()
      .where('account_id', '=', (await scopeOf(server(), person)).accountId)
      .executeTakeFirstOrThrow()

  test('a long text is stored unchanged and found by its first and last words', async () => {
    const { rest } = await server().signUp()
    const long = `Heliotrope ${'and many other plants '.repeat(1_500)}until the zinnias bloomed`
    const { entity } = await rest.createEntity({
      body: { name: 'Garden', type: 'place', observations: [long] },
    })
    const { observations } = await rest.createObservations({
      params: { id: entity.id },
      body: { observations: [`${long} twice`, 'Short'] },
    })
    const batch = {
      entities: [{ name: 'Park', type: 'place', observations: [long, 'Short'] }],
      relations: [],
    }
    const { entities } = await rest.createBatch({ body: batch })
    const stored = [entity, ...entities.created].map(({ observations = [] }) =>
      observations.map(({ content }) => content),
    )
    expect(stored).toEqual([[long], [long, 'Short']])
    expect(observations.map(({ content }) => content)).toEqual([`${long} twice`, 'Short'])
    for (const query of ['heliotrope', 'zinnias bloomed']) {
      const found = await rest.searchObservations({ query: { query } })
      const garden = found.observations.filter(({ content }) => content !== 'Short')
      expect(garden.map(({ entity: of }) => of.name).sort()).toEqual(['Garden', 'Garden', 'Park'])
    }
  })

  test('an entity is created, read, replaced and deleted', async () => {
    const { rest } = await server().signUp()
    const { entity } = await rest.createEntity({
      body: {
        name: 'Ada Lovelace',
        type: 'person',
        metadata: { born: 1815 },
        observations: ['Wrote the first program'],
      },
    })
    expect(entity).toMatchObject({
      name: 'Ada Lovelace',
      type: 'person',
      metadata: { born: 1815 },
      observationsCount: 1,
    })
    expect((await rest.getEntity({ params: { id: entity.id } })).entity).toEqual(entity)

    const { entity: changed } = await rest.updateEntity({
      params: { id: entity.id },
      body: { name: 'Ada', type: 'person', observations: ['Wrote the first program', 'Knew Babbage'] },
    })
    expect(changed.observations.map((observation) => observation.content)).toEqual([
      'Wrote the first program',
      'Knew Babbage',
    ])
    expect(changed.observations[0]).toEqual(entity.observations[0])
    expect(changed.metadata).toEqual({ born: 1815 })

    await rest.deleteEntity({ params: { id: entity.id } })
    await expect(rest.getEntity({ params: { id: entity.id } })).rejects.toMatchObject({
      status: 404,
      code: 'entity_not_found',
    })
  })

  test('an observation sent with its id is corrected, and keeps id and time', async () => {
    const { rest } = await server().signUp()
    const body = { name: 'A', type: 't', observations: ['same', 'wrong', 'gone'] }
    const { entity } = await rest.createEntity({ body })
    const [same, wrong, gone] = entity.observations
    server().clock.now += 1_000
    const { entity: changed } = await rest.updateEntity({
      params: { id: entity.id },
      body: {
        name: 'A',
        type: 't',
        observations: [
          { id: wrong!.id, content: 'right', metadata: { checked: true } },
          'same',
          { id: 'obs_zzz', content: 'of no observation' },
        ],
      },
    })
    const at = new Date(server().clock.now).toISOString()
    expect(changed.observations).toEqual([
      same,
      { ...wrong, content: 'right', metadata: { checked: true }, updatedAt: at },
      { id: expect.not.stringContaining(gone!.id), content: 'of no observation', createdAt: at },
    ])
    expect(changed.updatedAt).toBe(at)
    const found = await rest.search({ query: { query: 'right' } })
    expect(found.results[0]?.matches[0]?.observationId).toBe(wrong!.id)
    expect((await rest.search({ query: { query: 'wrong' } })).results).toEqual([])
  })

  test('cursors visit every entity once, newest first, also with several types', async () => {
    const { rest } = await server().signUp()
    for (let i = 0; i < 7; i++)
      await rest.createEntity({ body: { name: `n${i}`, type: i % 2 === 0 ? 'even' : 'odd' } })
    for (const types of [{}, { types: 'even,odd' }]) {
      const names: string[] = []
      let cursor: string | null | undefined
      do {
        const page = await rest.listEntities({
          query: { limit: '3', ...types, ...(cursor ? { cursor } : {}) },
        })
        expect(page.total).toBe(7)
        names.push(...page.entities.map((entity) => entity.name))
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(names).toEqual(['n6', 'n5', 'n4', 'n3', 'n2', 'n1', 'n0'])
    }
    expect((await rest.listEntities({ query: { types: 'odd' } })).total).toBe(3)
    const { entity } = await rest.createEntity({ body: { name: 'Ada', type: 'person, odd' } })
    expect((await rest.listEntities({ query: { types: 'person\\, odd' } })).entities).toEqual([
      expect.objectContaining({ id: entity.id }),
    ])
    await rest.deleteEntity({ params: { id: entity.id } })
    const spaced = await rest.createEntity({ body: { name: 'Ada', type: ' odd ' } })
    expect((await rest.listEntities({ query: { types: '\\ odd\\ ' } })).entities).toEqual([
      expect.objectContaining({ id: spaced.entity.id }),
    ])
    await rest.deleteEntity({ params: { id: spaced.entity.id } })
    expect((await rest.listEntityTypes()).types).toMatchObject([
      { type: 'even', label: 'Even', count: 4 },
      { type: 'odd', label: 'Odd', count: 3 },
    ])
    await expect(rest.listEntities({ query: { cursor: 'nonsense' } })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_cursor',
    })
  })

  test('lists include observations only on request', async () => {
    const { rest } = await server().signUp()
    await rest.createEntity({
      body: { name: 'A', type: 't', observations: ['x', { content: 'y', metadata: { k: 1 } }] },
    })
    expect((await rest.listEntities()).entities[0]).not.toHaveProperty('observations')
    const [entity] = (await rest.listEntities({ query: { include: 'observations' } })).entities
    expect(entity?.observations).toMatchObject([{ content: 'x' }, { content: 'y', metadata: { k: 1 } }])
  })

  test('a name is taken once per account and is free in another', async () => {
    const [alice, bob] = [await server().signUp('alice'), await server().signUp('bob')]
    const { entity } = await alice.rest.createEntity({ body: { name: 'Same', type: 't' } })
    await expect(alice.rest.createEntity({ body: { name: 'Same', type: 'u' } })).rejects.toMatchObject({
      status: 409,
      code: 'entity_name_taken',
      details: [{ entityId: entity.id }],
    })
    await alice.rest.createEntity({ body: { name: 'same', type: 't' } })
    await bob.rest.createEntity({ body: { name: 'Same', type: 't' } })
  })

  test('a stale write or deletion is refused, and a fresh one succeeds', async () => {
    const { rest, token } = await server().signUp()
    const created = await server().call('POST', '/api/entities', { token, body: { name: 'V', type: 't' } })
    const etag = created.headers.get('etag')!
    await rest.createObservations({ params: { id: created.body.entity.id }, body: { content: 'news' } })
    const path = `/api/entities/${created.body.entity.id}`
    const put = (match: string) =>
      server().call('PUT', path, { token, body: { name: 'W', type: 't' }, headers: { 'if-match': match } })
    const remove = (match: string) => server().call('DELETE', path, { token, headers: { 'if-match': match } })
    for (const stale of [await put(etag), await remove(etag)])
      expect([stale.status, stale.body.error.code]).toEqual([412, 'stale_write'])
    const fresh = await server().call('GET', path, { token })
    const replaced = await put(fresh.headers.get('etag')!)
    expect(replaced.body.entity.name).toBe('W')
    expect((await remove(fresh.headers.get('etag')!)).status).toBe(412)
    expect((await remove(replaced.headers.get('etag')!)).status).toBe(204)
  })

  test('observations are added and deleted, and counted', async () => {
    const { rest } = await server().signUp()
    const { entity } = await rest.createEntity({ body: { name: 'O', type: 't' } })
    const params = { id: entity.id }
    const one = await rest.createObservations({
      params,
      body: { content: 'one', metadata: { source: 'test' } },
    })
    expect(one.observations).toMatchObject([{ content: 'one', metadata: { source: 'test' } }])
    await rest.createObservations({ params, body: { observations: ['two', 'three'] } })
    const both = { content: 'four', observations: ['five'] }
    await expect(rest.createObservations({ params, body: both })).rejects.toMatchObject({
      code: 'validation_failed',
      message: 'The request must have content, or observations, not both',
    })
    await rest.deleteObservation({ params: { ...params, observationId: one.observations[0]!.id } })
    const after = (await rest.getEntity({ params })).entity
    expect(after.observations.map((observation) => observation.content)).toEqual(['two', 'three'])
    expect(after.observationsCount).toBe(2)
    await expect(
      rest.deleteObservation({ params: { ...params, observationId: 'obs_none' } }),
    ).rejects.toMatchObject({ code: 'observation_not_found' })
  })

  test('deleting an entity deletes its observations and relations', async () => {
    const person = await server().signUp()
    const { rest } = person
    const { entity: a } = await rest.createEntity({
      body: { name: 'A', type: 't', observations: ['x', 'y'] },
    })
    const { entity: b } = await rest.createEntity({ body: { name: 'B', type: 't' } })
    await rest.createRelation({ body: { fromEntityId: a.id, toEntityId: b.id, type: 'uses' } })
    await rest.createRelation({ body: { fromEntityId: b.id, toEntityId: a.id, type: 'uses' } })
    await rest.deleteEntity({ params: { id: a.id } })
    expect(await rest.listRelations()).toEqual({ relations: [], total: 0, nextCursor: null })
    const { accountId } = await scopeOf(server(), person)
    const left = server().ctx.db.selectFrom('observations').select('id').where('account_id', '=', accountId)
    expect(await left.execute()).toEqual([])
    expect(await spaceOf(person)).toMatchObject({ entities: 1, relations: 0, observations: 0 })
  })

  test('a batch is stored completely or not at all', async () => {
    const { rest } = await server().signUp()
    await rest.createEntity({ body: { name: 'Old', type: 't' } })
    const answer = await rest.createBatch({
      body: {
        entities: [
          { name: 'Old', type: 'x' },
          { name: 'New', type: 't', observations: ['o'] },
          { name: 'New', type: 'twice' },
        ],
        relations: [
          { from: 'New', to: 'Old', type: 'follows' },
          { from: 'New', to: 'Old', relationType: 'follows' },
        ],
      },
    })
    expect(answer.entities.created.map((entity) => entity.name)).toEqual(['New'])
    expect(answer.entities.existing.map((entity) => [entity.name, entity.type])).toEqual([['Old', 't']])
    expect(answer.relations.created).toMatchObject([
      { fromEntity: { name: 'New' }, toEntity: { name: 'Old' }, type: 'follows' },
    ])
    await expect(
      rest.createBatch({
        body: {
          entities: [{ name: 'Third', type: 't' }],
          relations: [{ from: 'Third', to: 'Nowhere', type: 'x' }],
        },
      }),
    ).rejects.toMatchObject({ status: 404, code: 'entity_not_found' })
    expect((await rest.listEntities()).total).toBe(2)
  })

  test.each([
    [{ type: 't' }, 'name', 'Name is required'],
    [{ name: '   ', type: 't' }, 'name', 'Name is required'],
    [{ name: 'n'.repeat(513), type: 't' }, 'name', 'Name must be at most 512 characters long'],
    [{ name: 'n', type: 't'.repeat(65) }, 'type', 'Type must be at most 64 characters long'],
    [{ name: 'n', type: 't', metadata: [] }, 'metadata', 'Metadata must be a JSON object'],
    [
      { name: 'n', type: 't', metadata: { deep: 'x\u0000' } },
      'metadata',
      'Metadata must not contain NUL characters or unpaired surrogates',
    ],
    [
      { name: 'n', type: 't', metadata: { big: 'x'.repeat(65_536) } },
      'metadata',
      'Metadata must be at most 64 KiB of JSON',
    ],
    [
      { name: 'n', type: 't', observations: Array(1_001).fill('x') },
      'observations',
      'At most 1000 observations in one call',
    ],
    // What JSON.stringify makes of it is null.
    [
      '{"name":"n","type":"t","metadata":{"size":[1e999]}}',
      'metadata',
      'Metadata must not contain numbers above 1.8e308',
    ],
  ])('a bad entity is refused in words and changes nothing (%#)', async (body, path, message) => {
    const person = await server().signUp()
    const answer = await server().call('POST', '/api/entities', { token: person.token, body })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: 'validation_failed',
      message,
      details: [{ path, message }],
    })
    expect((await spaceOf(person)).seq).toBe(0)
  })

  test.each(['n\u0000', 'n\ud800'])('a name that cannot be stored is refused in words (%#)', async (name) => {
    const { token } = await server().signUp()
    const answer = await server().call('POST', '/api/entities', { token, body: { name, type: 't' } })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: 'validation_failed',
      message: 'name must not contain NUL characters or unpaired surrogates',
      details: [{ path: 'name', message: 'Must not contain NUL characters or unpaired surrogates' }],
    })
  })

  const changesOf = async (person: Person) => {
    const { accountId } = await scopeOf(server(), person)
    const rows = server().ctx.db.selectFrom('changes').selectAll().where('account_id', '=', accountId)
    return rows.orderBy('seq').execute()
  }

  test('every write appends to the change log without gaps, one set per call', async () => {
    const person = await server().signUp()
    const { rest } = person
    const { entity } = await rest.createEntity({ body: { name: 'L', type: 't', observations: ['o'] } })
    await rest.updateEntity({ params: { id: entity.id }, body: { name: 'M', type: 't' } })
    await rest.deleteEntity({ params: { id: entity.id } })
    const rows = await changesOf(person)
    expect(rows.map((row) => [row.seq, row.set_seq, row.operation])).toEqual([
      [1, 1, operationNumbers.entity_created],
      [2, 1, operationNumbers.observation_added],
      [3, 3, operationNumbers.entity_updated],
      [4, 4, operationNumbers.observation_deleted],
      [5, 4, operationNumbers.entity_deleted],
    ])
  })

  test('concurrent writers leave no gap and lose nothing', async () => {
    const person = await server().signUp()
    const { rest } = person
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        rest.createEntity({ body: { name: `p${i}`, type: 't', observations: ['o'] } }),
      ),
    )
    const rows = await changesOf(person)
    expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
    expect((await rest.listEntities({ query: { limit: '500' } })).total).toBe(50)
  })

  test('a request with deeply nested fields that are unknown runs once as well', async () => {
    const { token } = await server().signUp()
    const post = async (depth: number) => {
      const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
      const response = await fetch(`${server().url}/api/entities`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': 'deep',
        },
        body: `{"name":"Ada","type":"person","unknown":${nested}}`,
      })
      return { status: response.status, body: await response.json() }
    }
    const first = await post(19_000)
    expect(first).toMatchObject({ status: 201, body: { entity: { name: 'Ada' } } })
    expect(await post(19_000)).toEqual(first)
  })

  test('a request with an idempotency key runs once', async () => {
    const { token, rest } = await server().signUp()
    const post = (body: object, key = 'k-1') =>
      server().call('POST', '/api/entities', { token, body, headers: { 'idempotency-key': key } })
    const answers = await Promise.all([post({ name: 'Once', type: 't' }), post({ name: 'Once', type: 't' })])
    expect(answers.map((answer) => answer.status)).toEqual([201, 201])
    expect(answers[0].body).toEqual(answers[1].body)
    const again = await post({ name: 'Once', type: 't' })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('etag')).toBe(answers[0].headers.get('etag'))
    const other = await post({ name: 'Other', type: 't' })
    expect([other.status, other.body.error.code]).toEqual([409, 'idempotency_conflict'])
    expect((await rest.listEntities()).total).toBe(1)
    const refused = await post({ name: 'Once', type: 't' }, 'k-2')
    expect(refused.status).toBe(409)
    server().clock.now += 25 * 3_600_000
    expect((await post({ name: 'Once', type: 't' })).body.error.code).toBe('entity_name_taken')
  })
})
