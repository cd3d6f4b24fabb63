import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { restWith } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { checkAll, repairAll } from './checks.service.ts'

describeOnBothDatabases('checks', (server) => {
  async function messages(accountId: string): Promise<string[]> {
    const found: string[] = []
    for await (const difference of checkAll(server().ctx)) {
      if (difference.accountId === accountId) found.push(difference.message)
    }
    return found
  }

  async function smallGraph() {
    const alice = await server().signUp()
    const { rest } = alice
    const { entity: ada } = await rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['one', 'two'] },
    })
    const { entity: engine } = await rest.createEntity({ body: { name: 'Engine', type: 'product' } })
    const { entity: gone } = await rest.createEntity({ body: { name: 'Gone', type: 'product' } })
    const ends = { fromEntityId: ada.id, toEntityId: engine.id }
    const { relation } = await rest.createRelation({ body: { ...ends, type: 'uses' } })
    await rest.updateRelation({ params: { id: relation.id }, body: { type: 'knows' } })
    await rest.updateEntity({ params: { id: ada.id }, body: { name: 'Ada', type: 'mathematician' } })
    await rest.createRelation({ body: { fromEntityId: gone.id, toEntityId: ada.id, type: 'part_of' } })
    await rest.deleteEntity({ params: { id: gone.id } })
    return { ...alice, ada, engine, relation }
  }

  test('what was written through the doors agrees', async () => {
    const { accountId } = await smallGraph()
    expect(await messages(accountId)).toEqual([])
  })

  test('every counter that is wrong is told, and repaired', async () => {
    const { accountId, ada } = await smallGraph()
    const { db } = server().ctx
    await sql`update space_counters set entities = 7, seq = seq + 1 where account_id = ${accountId}`.execute(
      db,
    )
    await sql`update account_counters set entities = 8 where account_id = ${accountId}`.execute(db)
    await sql`update type_counts set count = 5 where account_id = ${accountId} and type = 'knows'`.execute(db)
    await sql`update entities set degree = 9, observations_count = 0 where id = ${ada.id}`.execute(db)
    expect(await messages(accountId)).toEqual([
      "the account's counter of entities is 8, should be 2",
      "the space's counter of entities is 7, should be 2",
      expect.stringMatching(/^the space's counter of seq is \d+, should be \d+$/),
      'the count of relation type "knows" is 5, should be 1',
      `${ada.id} counts 0 observations, should be 2`,
      `${ada.id} counts 9 relation ends, should be 1`,
    ])
    await repairAll(server().ctx)
    expect(await messages(accountId)).toEqual([])
  })

  test('usage that does not add up is told, and repaired', async () => {
    const { accountId, rest } = await server().signUp()
    const { id, apiKey } = await rest.createKey({ body: { name: 'agent' } })
    const { ctx } = server()
    await restWith(server(), apiKey).listEntities()
    await ctx.usage.flush()
    expect(await messages(accountId)).toEqual([])
    await sql`update month_counts set operations = 90 where account_id = ${accountId}`.execute(ctx.db)
    await sql`update key_counts set active_days = 9 where account_id = ${accountId}`.execute(ctx.db)
    expect(await messages(accountId)).toEqual([
      expect.stringMatching(/^the operations of \d{4}-\d\d are 90, should be \d+$/),
      `the active days of key ${id} are 9, should be 1`,
    ])
    await repairAll(ctx)
    expect(await messages(accountId)).toEqual([])
  })

  test('a row that the change log does not know, and a gap in the log, are told', async () => {
    const { accountId, relation } = await smallGraph()
    const { db } = server().ctx
    await sql`delete from relations where account_id = ${accountId} and id = ${relation.id}`.execute(db)
    await sql`delete from changes where account_id = ${accountId} and seq = 1`.execute(db)
    expect(await messages(accountId)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('the change log has gaps'),
        `the change log and the table of relations disagree about ${relation.id}`,
        expect.stringContaining('the change log and the table of entities disagree'),
      ]),
    )
  })

  test('a search index that does not agree with the tables is told, and made anew', async () => {
    const { accountId, ada, rest } = await smallGraph()
    const { db } = server().ctx
    const observation = ada.observations[0]!.id
    await sql`delete from passages where observation_id = ${observation}`.execute(db)
    await sql`update search_spaces set length = length + 1 where account_id = ${accountId}`.execute(db)
    expect(await messages(accountId)).toEqual([
      `the search index and the tables disagree about ${observation}`,
      'the search index counts 2 as passages, should be 1',
      expect.stringMatching(/^the search index counts \d+ as length, should be \d+$/),
    ])
    await repairAll(server().ctx)
    expect(await messages(accountId)).toEqual([])
    const { observations } = await rest.searchObservations({ query: { query: 'one' } })
    expect(observations[0]?.id).toBe(observation)
  })
})
