import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { scopeOf, setPlan } from '../../../test/accounts.ts'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { compareIds } from '../../ground/lib/ids.ts'
import { postingsOf } from '../../search/store/posting-lists.ts'
import { checkAll, repairAll } from '../checks/checks.service.ts'

describeOnBothDatabases('the search for relations', (server) => {
  /** Creates `[from, type, to]`; returns the ids of entities by name. */
  async function relate(person: Person, triples: readonly (readonly [string, string, string])[]) {
    const names = [...new Set(triples.flatMap(([from, , to]) => [from, to]))]
    const ids: Record<string, string> = {}
    for (let start = 0; start < names.length; start += 500) {
      const { entities } = await person.rest.createBatch({
        body: { entities: names.slice(start, start + 500).map((name) => ({ name, type: 'thing' })) },
      })
      for (const { id, name } of [...entities.created, ...entities.existing]) ids[name] = id
    }
    for (let start = 0; start < triples.length; start += 500) {
      await person.rest.createBatch({
        body: {
          relations: triples.slice(start, start + 500).map(([from, type, to]) => ({ from, to, type })),
        },
      })
    }
    return ids
  }

  type Filter = { relationTypes?: string; entityId?: string }
  async function found(person: Person, query: string, filter: Filter = {}) {
    const { relations, total } = await person.rest.listRelations({ query: { query, ...filter } })
    const told = relations.map(
      ({ fromEntity, type, toEntity }) => `${fromEntity.name} ${type} ${toEntity.name}`,
    )
    expect(total, query).toBe(told.length)
    return told
  }

  test('finds any run of letters in either name or the type, newest first', async () => {
    const alice = await server().signUp()
    await relate(alice, [
      ['Ada Lovelace', 'works_at', 'Analytical Engine'],
      ['Q7', 'mentions', 'Charles Babbage'],
    ])
    const ada = 'Ada Lovelace works_at Analytical Engine'
    const charles = 'Q7 mentions Charles Babbage'
    for (const query of ['velac', 'a L', 'ce', 'al', 'ytical Eng', 'gine', 'orks_a', 'ks at']) {
      expect(await found(alice, query), query).toEqual([ada])
    }
    for (const query of ['q7', '7', 'rles bab', 'b', 'ge', 'entio', 'charles babbage']) {
      expect(await found(alice, query), query).toEqual([charles])
    }
    expect(await found(alice, 'l')).toEqual([charles, ada])
    for (const query of ['zz', 'x', 'lovelaces', 'engine  analytical', '7q']) {
      expect(await found(alice, query), query).toEqual([])
    }
  })

  test('treats all words of the query as one text', async () => {
    const alice = await server().signUp()
    await relate(alice, [['Ada Lovelace', 'wrote', 'Note G']])
    expect(await found(alice, '  da love ')).toHaveLength(1)
    for (const query of ['love ada', 'ada note', 'lace wrote', 'ada wrote']) {
      expect(await found(alice, query), query).toEqual([])
    }
  })

  test('ignores case and diacritics', async () => {
    const alice = await server().signUp()
    await relate(alice, [
      ['Ägypten', 'liegt_an', 'ΟΔΟΣ'],
      ['İstanbul', 'near', 'Straße'],
      ['東京都', 'TEIL_VON', 'Россия'],
    ])
    const parts = [
      ...['ägyp', 'ÄGYP', 'A\u0308gyp', 'agyp', 'οδος', 'ΔΟΣ', 'δοσ'],
      ...['istan', 'İSTAN', 'ISTANBUL', 'stra', 'STRASSE'],
      ...['東京', '京', '京都', 'teil von', 'РОССИЯ', 'сси'],
    ]
    for (const query of parts) expect(await found(alice, query), query).toHaveLength(1)
  })

  test('treats spaces, - and _ in types as equal, and names as written', async () => {
    const alice = await server().signUp()
    await relate(alice, [
      ['snake_case', 'works_at', 'A'],
      ['plain case', 'works-at', 'B'],
      ['Other', 'works at', 'C'],
    ])
    for (const query of ['works at', 'works_at', 'WORKS-AT', 's_a', 'ks a']) {
      expect(await found(alice, query), query).toHaveLength(3)
    }
    expect(await found(alice, 'snake_c')).toHaveLength(1)
    expect(await found(alice, 'snake c')).toEqual([])
    expect(await found(alice, 'ain case')).toHaveLength(1)
  })

  test('takes wildcards, quotes, emoji and very long texts literally', async () => {
    const alice = await server().signUp()
    await relate(alice, [
      ['100% sure', 'x', `it's "quoted"`],
      ['🎉 party 👩‍👩‍👧', 'y', 'back\\slash * (NEAR)'],
    ])
    for (const query of ['%', '0%', '0% s', `'s "q`, 's "', 'k\\s', '\\', '* (', '🎉', '🎉 p', 'y 👩‍👩‍👧']) {
      expect(await found(alice, query), query).toHaveLength(1)
    }
    for (const query of [
      '_',
      '1%e',
      'p%y',
      '%%',
      'near)x',
      '👧👧',
      'a'.repeat(10_000),
      `${'100% '.repeat(2_000)}`,
    ]) {
      expect(await found(alice, query), query.slice(0, 20)).toEqual([])
    }
  })

  test('combines with types and with an entity', async () => {
    const alice = await server().signUp()
    const ids = await relate(alice, [
      ['Ada', 'uses', 'Engine'],
      ['Ada', 'knows', 'Charles'],
      ['Engine', 'part_of', 'Museum'],
      ['Charles', 'uses', 'Museum'],
      ['Reuser', 'knows', 'Ada'],
    ])
    expect(await found(alice, 'engine', { relationTypes: 'uses' })).toEqual(['Ada uses Engine'])
    expect(await found(alice, 'use', { relationTypes: 'uses' })).toHaveLength(2)
    expect(await found(alice, 'use', { relationTypes: 'uses,knows' })).toEqual([
      'Reuser knows Ada',
      'Charles uses Museum',
      'Ada uses Engine',
    ])
    expect(await found(alice, 'use')).toHaveLength(4)
    expect(await found(alice, 'e', { entityId: ids.Ada! })).toEqual([
      'Reuser knows Ada',
      'Ada knows Charles',
      'Ada uses Engine',
    ])
    expect(await found(alice, 'engin', { entityId: ids.Ada! })).toEqual(['Ada uses Engine'])
    expect(await found(alice, 'ada', { entityId: ids.Ada!, relationTypes: 'knows' })).toHaveLength(2)
    expect(await found(alice, 'use', { entityId: ids.Ada! })).toEqual(['Reuser knows Ada', 'Ada uses Engine'])
    expect(await found(alice, 'use', { entityId: ids.Ada!, relationTypes: 'knows' })).toEqual([
      'Reuser knows Ada',
    ])
    expect(await found(alice, 'x', { entityId: 'ent_none' })).toEqual([])
  })

  test('follows renamed entities, changed types and deletions', async () => {
    const alice = await server().signUp()
    const ids = await relate(alice, [
      ['Old name', 'uses', 'Tool'],
      ['Second', 'uses', 'Gadget'],
    ])
    expect(await found(alice, 'd nam')).toHaveLength(1)
    await alice.rest.updateEntity({
      params: { id: ids['Old name']! },
      body: { name: 'Fresh title', type: 'thing' },
    })
    expect(await found(alice, 'd nam')).toEqual([])
    expect(await found(alice, 'esh ti')).toEqual(['Fresh title uses Tool'])
    const { relations } = await alice.rest.listRelations({ query: { query: 'gadg' } })
    await alice.rest.updateRelation({ params: { id: relations[0]!.id }, body: { type: 'repairs' } })
    expect(await found(alice, 'epair')).toHaveLength(1)
    expect(await found(alice, 'uses')).toHaveLength(1)
    await alice.rest.deleteEntity({ params: { id: ids.Gadget! } })
    expect(await found(alice, 'gadg')).toEqual([])
    expect(await found(alice, 'e')).toEqual(['Fresh title uses Tool'])
  })

  test('finds nothing in another account', async () => {
    const [alice, bob] = [await server().signUp('alice'), await server().signUp('bob')]
    const ids = await relate(alice, [['Secret plan', 'hidden_in', 'Vault']])
    for (const query of ['secret', 'e', 'pl', 'hidden']) {
      expect(await found(bob, query), query).toEqual([])
      expect(await found(bob, query, { entityId: ids.Vault! }), query).toEqual([])
    }
    expect(await found(alice, 'secret')).toHaveLength(1)
  })

  /** Reads all pages, with something done between each two. */
  async function allPages(
    person: Person,
    query: string,
    between: (page: number) => Promise<void>,
    filter: Filter = {},
  ) {
    const pages: string[][] = []
    const totals: number[] = []
    let cursor: string | undefined
    do {
      const page = await person.rest.listRelations({
        query: { query, limit: '7', ...filter, ...(cursor && { cursor }) },
      })
      pages.push(page.relations.map(({ id }) => id))
      totals.push(page.total)
      await between(pages.length)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return { ids: pages.flat(), pages: pages.length, totals }
  }

  test.each([
    ['a type', 'orks', {}],
    ['a hub', 'big hub', {}],
    ['many names', 'leaf', {}],
    ['one letter', 'e', {}],
    ['names among types', 'leaf', { relationTypes: 'knows,works_at' }],
  ] as const)(
    'pages of what %s finds lose and repeat nothing while relations are added',
    async (_, query, filter) => {
      const alice = await server().signUp()
      const ids = await relate(
        alice,
        Array.from({ length: 30 }, (_, i) => ['Big hub', i % 2 ? 'works_at' : 'knows', `Leaf ${i}`] as const),
      )
      const whole = (await alice.rest.listRelations({ query: { query, limit: '500', ...filter } })).relations
      const add = async (page: number) => {
        server().clock.now += 1_000
        const { entity } = await alice.rest.createEntity({
          body: { name: `New leaf ${page}`, type: 'thing' },
        })
        await alice.rest.createRelation({
          body: { fromEntityId: ids['Big hub']!, toEntityId: entity.id, type: 'works_at' },
        })
      }
      const { ids: paged, pages, totals } = await allPages(alice, query, add, filter)
      expect(paged).toEqual(whole.map(({ id }) => id))
      expect(pages).toBeGreaterThanOrEqual(3)
      expect(totals).toEqual(totals.map((_, page) => whole.length + page))
    },
  )

  test('finds the same after the index was rebuilt, and checks agree', async () => {
    const alice = await server().signUp()
    await relate(alice, [
      ['Ada', 'uses', '★'],
      ['\u200b\u200bx', 'uses', '✓'],
    ])
    const scope = await scopeOf(server(), alice)
    const differences = async () => {
      const found = await arrayOf(checkAll(server().ctx))
      return found.filter((one) => one.accountId === alice.accountId).map(({ message }) => message)
    }
    expect(await differences()).toEqual([])
    const { db, dialect } = server().ctx
    while (await dialect.transaction(db, (tx) => postingsOf(dialect).removeAll(tx, scope, 100)));
    expect((await differences()).length).toBeGreaterThan(0)
    await repairAll(server().ctx)
    expect(await differences()).toEqual([])
    expect(await found(alice, 'ad')).toEqual(['Ada uses ★'])
    expect(await found(alice, '✓')).toHaveLength(1)
  })

  /** `item 0` relates to `item 1` by `next` or `skips`, and so on. */
  async function importChain({ rest }: Person, count: number) {
    const lines = Array.from({ length: count + 1 }, (_, i) => ({ type: 'entity', name: `item ${i}` }))
    const relations = Array.from({ length: count }, (_, i) => ({
      type: 'relation',
      from: `item ${i}`,
      to: `item ${i + 1}`,
      relationType: i % 3 ? 'next' : 'skips',
    }))
    const body = [...lines.map((line) => ({ ...line, entityType: 'thing', observations: [] })), ...relations]
    let report = (await rest.import({ body: body.map((line) => JSON.stringify(line)).join('\n') })).import
    while (report.state === 'running') {
      await sleep(50)
      report = (await rest.getImport({ params: { id: report.id } })).import
    }
    expect(report).toMatchObject({ state: 'finished', relations: { created: count } })
  }

  test('counts and pages many relations of many names exactly', async () => {
    const alice = await server().signUp()
    await setPlan(server(), alice, 'power-user')
    const count = 5_200
    await importChain(alice, count)
    const total = async (query: string, filter: Filter = {}) =>
      (await alice.rest.listRelations({ query: { query, limit: '1', ...filter } })).total
    const has = (text: string) => (i: number) => `item ${i}`.includes(text) || `item ${i + 1}`.includes(text)
    const numbers = Array.from({ length: count }, (_, i) => i)
    for (const query of ['item', 'm 5', '77', '999', 'em 4', '1']) {
      expect(await total(query), query).toBe(numbers.filter(has(query)).length)
      expect(await total(query), query).toBe(numbers.filter(has(query)).length)
    }
    expect(await total('m 5', { relationTypes: 'skips' })).toBe(
      numbers.filter((i) => i % 3 === 0 && has('m 5')(i)).length,
    )
    expect(await total('ext')).toBe(numbers.filter((i) => i % 3 > 0).length)
    const first = await alice.rest.listRelations({ query: { query: 'item', limit: '500' } })
    const second = await alice.rest.listRelations({
      query: { query: 'item', limit: '500', cursor: first.nextCursor! },
    })
    expect(new Set([...first.relations, ...second.relations].map(({ id }) => id)).size).toBe(1_000)
    expect(second.relations.every(({ id }) => compareIds(id, first.relations.at(-1)!.id) < 0)).toBe(true)
  })
})
