import { GraphPart } from '@loci/contract/graph'
import { ColumnReader, GraphColumns } from '@loci/contract/graph-columns'
import { expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

describeOnBothDatabases('relations and the graph', (server) => {
  async function entities(person: Person, names: string[]) {
    const { entities } = await person.rest.createBatch({
      body: { entities: names.map((name) => ({ name, type: 'node' })) },
    })
    return Object.fromEntries(entities.created.map((entity) => [entity.name, entity.id]))
  }

  test('a relation is created, listed, retyped and deleted', async () => {
    const alice = await server().signUp()
    const { rest } = alice
    const ids = await entities(alice, ['A', 'B'])
    const body = { fromEntityId: ids.A!, toEntityId: ids.B!, relationType: 'depends_on' }
    const { relation } = await rest.createRelation({ body })
    expect(relation).toMatchObject({
      ...body,
      type: 'depends_on',
      fromEntity: { name: 'A', type: 'node' },
      toEntity: { name: 'B', type: 'node' },
    })
    await expect(rest.createRelation({ body })).rejects.toMatchObject({
      status: 409,
      code: 'relation_exists',
    })
    const { relation: retyped } = await rest.updateRelation({
      params: { id: relation.id },
      body: { type: 'uses' },
    })
    expect(retyped).toEqual({ ...relation, type: 'uses', relationType: 'uses' })
    expect((await rest.listRelationTypes()).types).toEqual([{ type: 'uses', label: 'Uses', count: 1 }])
    await rest.deleteRelation({ params: { id: relation.id } })
    await expect(rest.deleteRelation({ params: { id: relation.id } })).rejects.toMatchObject({
      status: 404,
      code: 'relation_not_found',
    })
  })

  test('a relation needs two different entities of the account and a type', async () => {
    const [alice, bob] = [await server().signUp('alice'), await server().signUp('bob')]
    const { A, B } = await entities(alice, ['A', 'B'])
    const create = (body: object) => server().call('POST', '/api/relations', { token: alice.token, body })
    expect((await create({ fromEntityId: A, toEntityId: A, type: 'x' })).body.error).toMatchObject({
      code: 'same_entity',
      message: 'Source and target entities cannot be the same',
    })
    expect((await create({ toEntityId: B, type: 'x' })).body.error.message).toBe('Source entity is required')
    expect((await create({ fromEntityId: A, type: 'x' })).body.error.message).toBe(
      'Target entity is required',
    )
    expect((await create({ fromEntityId: A, toEntityId: B })).body.error.message).toBe(
      'Relation type is required',
    )
    // Accounts number their entities separately: an id that both have would be alice's.
    const { X } = await entities(bob, ['V', 'W', 'X'])
    const foreign = await create({ fromEntityId: A, toEntityId: X, type: 'x' })
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'entity_not_found'])
  })

  test('relations are listed by entity and by type, in pages, each once', async () => {
    const alice = await server().signUp()
    const ids = await entities(alice, ['Hub', 'A', 'B', 'C'])
    const relate = (from: string, to: string, type: string) =>
      alice.rest.createRelation({ body: { fromEntityId: ids[from]!, toEntityId: ids[to]!, type } })
    await relate('Hub', 'A', 'x')
    await relate('B', 'Hub', 'x')
    await relate('Hub', 'C', 'y')
    await relate('A', 'B', 'y')
    const ofHub = await alice.rest.listRelations({ query: { entityId: ids.Hub! } })
    expect(ofHub.relations.map((relation) => relation.toEntity.name)).toEqual(['C', 'Hub', 'A'])
    expect(ofHub.total).toBe(3)
    expect(
      (await alice.rest.listRelations({ query: { entityId: ids.Hub!, relationTypes: 'y' } })).total,
    ).toBe(1)
    const first = await alice.rest.listRelations({ query: { relationTypes: 'x,y', limit: '3' } })
    const second = await alice.rest.listRelations({
      query: { relationTypes: 'x,y', limit: '3', cursor: first.nextCursor! },
    })
    expect([first.total, first.relations.length, second.relations.length, second.nextCursor]).toEqual([
      4,
      3,
      1,
      null,
    ])
  })

  test('search matches the beginning or middle of entity names and types, in any case', async () => {
    const alice = await server().signUp()
    const ids = await entities(alice, ['Ada Lovelace', 'Analytical Engine', 'Other'])
    const body = { fromEntityId: ids['Ada Lovelace']!, toEntityId: ids['Analytical Engine']! }
    await alice.rest.createRelation({ body: { ...body, type: 'depends_on' } })
    const beginnings = ['lovel', 'LOVE', 'analyt', 'eng', 'Depends', 'depe']
    const middles = ['velac', 'LYTIC', 'ngine', 'gin', 'PENDS', 'ends_o', 'ends on']
    for (const query of [...beginnings, ...middles]) {
      const { relations } = await alice.rest.listRelations({ query: { query } })
      expect(relations, query).toHaveLength(1)
    }
    for (const query of ['other', 'pens', '--']) {
      expect((await alice.rest.listRelations({ query: { query } })).total, query).toBe(0)
    }
  })

  test('the graph around a root is breadth-first, nearest first, and cut at the limit', async () => {
    const alice = await server().signUp()
    const ids = await entities(alice, ['R', 'A', 'B', 'C', 'Far', 'Alone'])
    const chain = [
      ['R', 'A'],
      ['B', 'R'],
      ['A', 'C'],
      ['C', 'Far'],
    ] as const
    for (const [from, to] of chain) {
      await alice.rest.createRelation({ body: { fromEntityId: ids[from]!, toEntityId: ids[to]!, type: 'x' } })
    }
    const namesOf = (graph: { entities: { name: string }[] }) => graph.entities.map((entity) => entity.name)
    const two = await alice.rest.neighbourhood({ params: { id: ids.R! } })
    expect(namesOf(two)).toEqual(['R', 'A', 'B', 'C'])
    expect(two.relations).toHaveLength(3)
    expect(two.truncated).toBe(false)
    const cut = await alice.rest.graphData({ query: { rootEntityId: ids.R!, depth: '5', limit: '3' } })
    expect([namesOf(cut), cut.truncated]).toEqual([['R', 'A', 'B'], true])
    const whole = await alice.rest.graphData()
    expect(namesOf(whole).toSorted()).toEqual(['A', 'Alone', 'B', 'C', 'Far', 'R'])
    expect([whole.relations.length, whole.truncated]).toEqual([4, false])
    expect((await alice.rest.graphData({ query: { limit: '6' } })).truncated).toBe(false)
    await expect(alice.rest.neighbourhood({ params: { id: 'ent_none' } })).rejects.toMatchObject({
      code: 'entity_not_found',
    })
    for (const query of [{ depth: '6' }, { depth: '0' }, { limit: '5001' }, { limit: 'x' }]) {
      await expect(alice.rest.graphData({ query })).rejects.toMatchObject({ status: 400 })
    }
  })

  test('the order of a graph is that of its entities and relations, now and as of then', async () => {
    const alice = await server().signUp()
    const ids = await entities(alice, ['Hub', 'A', 'B', 'C'])
    for (const to of ['C', 'A', 'B']) {
      await alice.rest.createRelation({ body: { fromEntityId: ids.Hub!, toEntityId: ids[to]!, type: 'x' } })
    }
    const asOf = new Date(server().clock.now).toISOString()
    for (const query of [{ rootEntityId: ids.Hub! }, { rootEntityId: ids.Hub!, asOf }]) {
      const graph = await alice.rest.graphData({ query })
      expect(graph.entities.map(({ name }) => name)).toEqual(['Hub', 'A', 'B', 'C'])
      expect(graph.relations.map(({ toEntityId }) => toEntityId)).toEqual([ids.C, ids.A, ids.B])
    }
  })

  test('a streamed graph is complete if the limit allows, and otherwise around the most connected', async () => {
    const alice = await server().signUp()
    const ids = await entities(alice, ['Hub', 'A', 'B', 'Alone'])
    for (const to of ['A', 'B']) {
      await alice.rest.createRelation({
        body: { fromEntityId: ids.Hub!, toEntityId: ids[to]!, type: 'uses' },
      })
    }
    const streamed = async (limit?: string) => {
      const response = await alice.rest.graphStream({ query: { limit } })
      const parts = (await response.text()).trimEnd().split('\n')
      return parts.map((line) => GraphPart.parse(JSON.parse(line)))
    }
    const whole = await streamed()
    const { truncated, ...data } = await alice.rest.graphData()
    expect(whole.at(-1)).toEqual({ truncated })
    const byId = (rows: { id: string }[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    expect(whole.flatMap((part) => part.entities ?? [])).toEqual(byId(data.entities))
    expect(whole.flatMap((part) => part.relations ?? [])).toEqual(byId(data.relations))
    const columns = await alice.rest.graphStream({ query: { form: 'columns' } })
    const reader = new ColumnReader()
    const lines = (await columns.text()).trimEnd().split('\n')
    expect(lines.map((line) => reader.read(GraphColumns.parse(JSON.parse(line))))).toEqual(whole)
    const cut = await streamed('2')
    expect(cut.flatMap((part) => part.entities ?? []).map(({ name }) => name)).toContain('Hub')
    expect(cut.flatMap((part) => part.relations ?? [])).toHaveLength(1)
    expect(cut.at(-1)).toEqual({ truncated: true })
    await expect(streamed('100001')).rejects.toMatchObject({ status: 400 })
  })

  test('the shortest path is found along relations in both directions', async () => {
    const alice = await server().signUp()
    const ids = await entities(alice, ['S', 'M', 'T', 'Long', 'Way', 'Alone'])
    const edges = [
      ['S', 'M'],
      ['T', 'M'],
      ['S', 'Long'],
      ['Long', 'Way'],
      ['Way', 'T'],
    ] as const
    for (const [from, to] of edges) {
      await alice.rest.createRelation({ body: { fromEntityId: ids[from]!, toEntityId: ids[to]!, type: 'x' } })
    }
    const path = await alice.rest.shortestPath({ query: { from: ids.S!, to: ids.T! } })
    expect(path.entities.map((entity) => entity.name)).toEqual(['S', 'M', 'T'])
    expect(path.relations).toHaveLength(2)
    expect((await alice.rest.shortestPath({ query: { from: ids.S!, to: ids.S! } })).entities).toHaveLength(1)
    await expect(alice.rest.shortestPath({ query: { from: ids.S!, to: ids.Alone! } })).rejects.toMatchObject({
      code: 'path_not_found',
    })
  })
})
