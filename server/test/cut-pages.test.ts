import { expect, test } from 'vitest'
import { setPlan } from './accounts.ts'
import { describeOnBothDatabases, type Person } from './harness.ts'
import { makeUgly } from './held/ugly-memory.ts'

type Page = { keys: string[]; nextCursor: string | null }

/** The keys of all pages, and how many pages there are. */
async function follow(read: (cursor: { cursor?: string }) => Promise<Page>) {
  const keys: string[] = []
  let pages = 0
  for (let cursor: string | null | undefined; cursor !== null && pages < 1_000; pages++) {
    const page: Page = await read(cursor === undefined ? {} : { cursor })
    keys.push(...page.keys)
    cursor = page.nextCursor
  }
  return { keys, pages }
}

const idsOf = (things: readonly { id: string }[]) => things.map(({ id }) => id)
const limit = '500'

/** Lists whose page of 500 may not fit into one answer. */
const lists: Record<string, (person: Person, cursor: { cursor?: string }) => Promise<Page>> = {
  search: async ({ rest }, cursor) => {
    const { results, nextCursor } = await rest.search({ query: { query: 'word', limit, ...cursor } })
    return { keys: results.map(({ entity }) => entity.id), nextCursor }
  },
  'search for observations': async ({ rest }, cursor) => {
    const query = { query: 'word', limit, context: '10', ...cursor }
    const { observations, nextCursor } = await rest.searchObservations({ query })
    return { keys: idsOf(observations), nextCursor }
  },
  changes: async ({ rest }, cursor) => {
    const { changes, nextCursor } = await rest.listChanges({ query: { limit, ...cursor } })
    return { keys: changes.map(({ seq }) => String(seq)), nextCursor }
  },
  entities: async ({ rest }, cursor) => {
    const { entities, nextCursor } = await rest.listEntities({ query: { limit, types: 'heavy', ...cursor } })
    return { keys: idsOf(entities), nextCursor }
  },
  'entities by name': async ({ rest }, cursor) => {
    const query = { limit, include: 'observations', sort: 'name' as const, ...cursor }
    const { entities, nextCursor } = await rest.listEntities({ query })
    return { keys: idsOf(entities), nextCursor }
  },
  'entities of a time': async ({ rest }, cursor) => {
    const query = { limit, include: 'observations', asOf: '2100-01-01', ...cursor }
    const { entities, nextCursor } = await rest.listEntities({ query })
    return { keys: idsOf(entities), nextCursor }
  },
}

/** What the pages together must have. */
async function countOf(name: string, { rest }: Person): Promise<number> {
  if (name === 'search') return (await rest.search({ query: { query: 'word', limit } })).total
  if (name === 'search for observations')
    return (await rest.searchObservations({ query: { query: 'word', limit } })).total
  if (name === 'changes') return (await rest.listChanges({ query: { limit: '1' } })).changes[0]!.seq
  const query = name === 'entities' ? { limit: '1', types: 'heavy' } : { limit: '1' }
  return (await rest.listEntities({ query })).total
}

describeOnBothDatabases('a page that ends early because its answer is full', (server) => {
  test('continues at its cursor, until every row was shown once', { timeout: 300_000 }, async () => {
    const alice = await server().signUp()
    await setPlan(server(), alice, 'power-user')
    const { big } = await makeUgly(alice, 4, 8)
    const cut: string[] = []
    for (const [name, read] of Object.entries(lists)) {
      const { keys, pages } = await follow((cursor) => read(alice, cursor))
      const total = await countOf(name, alice)
      expect({ name, total: keys.length, distinct: new Set(keys).size }).toEqual({
        name,
        total,
        distinct: total,
      })
      if (pages > Math.ceil(total / 500)) cut.push(name)
    }
    expect(cut).toEqual(Object.keys(lists))
    const { entity } = await alice.rest.getEntity({ params: { id: big } })
    expect(entity.observations).toHaveLength(entity.observationsCount)
    expect(new Set(idsOf(entity.observations)).size).toBe(entity.observationsCount)
  })
})
