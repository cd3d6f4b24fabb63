import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { restWith, scopeOf } from '../../../test/accounts.ts'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { toNumber } from '../../ground/lib/ids.ts'
import { sha256 } from '../../ground/lib/secrets.ts'
import { postingsOf } from '../../search/store/posting-lists.ts'
import { defaultSpaceId } from '../../tenancy/scope.ts'
import { checkAll, repairAll } from './checks.service.ts'

describeOnBothDatabases('checks', (server) => {
  async function messages(accountId: string): Promise<string[]> {
    const found = await arrayOf(checkAll(server().ctx))
    return found.filter((one) => one.accountId === accountId).map(({ message }) => message)
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
    const { accountId: account } = await scopeOf(server(), alice)
    return { ...alice, account, ada, engine, relation }
  }

  test('everything written through the API is consistent', async () => {
    const { accountId } = await smallGraph()
    expect(await messages(accountId)).toEqual([])
  })

  test('every wrong counter is reported and repaired', async () => {
    const { accountId, account, ada } = await smallGraph()
    const { db } = server().ctx
    await sql`update spaces set entities = 7, seq = seq + 1 where account_id = ${account}`.execute(db)
    await sql`update accounts set entities = 8, bytes = bytes + 1 where account_id = ${account}`.execute(db)
    await sql`update type_counts set count = 5 where account_id = ${account} and type = 'knows'`.execute(db)
    await sql`update entities set degree = 9, observations_count = 0
      where account_id = ${account} and id = ${toNumber('ent', ada.id)}`.execute(db)
    expect(await messages(accountId)).toEqual([
      "the account's counter of entities is 8, should be 2",
      expect.stringMatching(/^the account's counter of bytes is \d+, should be \d+$/),
      "the space's counter of entities is 7, should be 2",
      expect.stringMatching(/^the space's counter of seq is \d+, should be \d+$/),
      'the count of relation type "knows" is 5, should be 1',
      `${ada.id} counts 0 observations, should be 2`,
      `${ada.id} counts 9 relation ends, should be 1`,
    ])
    await repairAll(server().ctx)
    expect(await messages(accountId)).toEqual([])
  })

  test('usage that does not add up is reported and repaired', async () => {
    const person = await server().signUp()
    const { accountId, rest } = person
    const { accountId: account } = await scopeOf(server(), person)
    const { id, apiKey } = await rest.createKey({ body: { name: 'agent' } })
    const { ctx } = server()
    await restWith(server(), apiKey).listEntities()
    await ctx.usage.flush()
    expect(await messages(accountId)).toEqual([])
    await sql`update month_counts set operations = 0 where account_id = ${account}`.execute(ctx.db)
    await sql`update key_counts set active_days = 9 where account_id = ${account}`.execute(ctx.db)
    expect(await messages(accountId)).toEqual([
      expect.stringMatching(/^the operations of \d{4}-\d\d are 0, should be \d+ or more$/),
      `the active days of key ${id} are 9, should be 1`,
    ])
    await repairAll(ctx)
    expect(await messages(accountId)).toEqual([])
  })

  test('a row unknown to the change log and a gap in the log are reported', async () => {
    const { accountId, account, ada, relation } = await smallGraph()
    const { db } = server().ctx
    await sql`delete from relations
      where account_id = ${account} and id = ${toNumber('rel', relation.id)}`.execute(db)
    await sql`delete from changes where account_id = ${account} and seq = 1`.execute(db)
    expect(await messages(accountId)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('the change log has gaps'),
        expect.stringMatching(new RegExp(`^change \\d+ of ${relation.id} has no version of the row$`)),
        `the versions of ${ada.id} do not agree with the change log`,
        'change 2 is not in the set of changes that it should be in',
      ]),
    )
  })

  test('past versions that overlap, end without a change, or are missing are reported', async () => {
    const { accountId, account, ada, relation } = await smallGraph()
    const { db } = server().ctx
    const past = await db
      .selectFrom('past_relations')
      .select(['id', 'since', 'until'])
      .where('account_id', '=', account)
      .execute()
    expect(past.map(({ id }) => id)).toContain(toNumber('rel', relation.id))
    await sql`update past_relations set until = until + 1
      where account_id = ${account} and id = ${toNumber('rel', relation.id)}`.execute(db)
    expect(await messages(accountId)).toContain(
      `the versions of ${relation.id} do not agree with the change log`,
    )
    await sql`delete from past_entities
      where account_id = ${account} and id = ${toNumber('ent', ada.id)}`.execute(db)
    expect(await messages(accountId)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(new RegExp(`^change \\d+ of ${ada.id} has no version of the row$`)),
      ]),
    )
  })

  test('an observation without words is no error', async () => {
    const { accountId, rest } = await server().signUp()
    await rest.createEntity({ body: { name: 'Riddle', type: 'concept', observations: ['?', '?!', '...'] } })
    expect(await messages(accountId)).toEqual([])
  })

  test('dangling secrets in either direction are reported and repaired', async () => {
    const person = await server().signUp()
    const { accountId, rest, token } = person
    const { accountId: account } = await scopeOf(server(), person)
    const { id } = await rest.createKey({ body: { name: 'agent' } })
    const { db } = server().ctx
    const hash = sha256(token)
    await sql`delete from credentials where hash = ${hash}`.execute(db)
    await sql`delete from api_keys where account_id = ${account}`.execute(db)
    expect((await server().call('GET', '/auth/me', { token })).status).toBe(401)
    expect(await messages(accountId)).toEqual([
      expect.stringMatching(/^the secret of the session ses_\w+ leads nowhere$/),
      `a secret leads to the api key ${id}, which is not there`,
    ])
    await repairAll(server().ctx)
    expect(await messages(accountId)).toEqual([])
    expect((await rest.me()).accountId).toBe(accountId)
  })

  test('a member whose own row does not name the account is reported and repaired', async () => {
    const { accountId, rest } = await server().signUp()
    const { id } = await rest.me()
    await sql`update users set account_ids = '[]' where id = ${id}`.execute(server().ctx.db)
    expect(await messages(accountId)).toEqual([`the member ${id} does not find the account on signing in`])
    await repairAll(server().ctx)
    expect(await messages(accountId)).toEqual([])
    expect((await rest.me()).accounts).toHaveLength(1)
  })

  test('a search index that disagrees with the tables is reported and rebuilt', async () => {
    const { accountId, account, ada, rest } = await smallGraph()
    const { db } = server().ctx
    const observation = ada.observations[0]!.id
    const posted = { id: toNumber('obs', observation) ?? 0, terms: 'one' }
    await postingsOf(server().ctx.dialect).remove(db, { accountId: account, spaceId: defaultSpaceId }, [
      posted,
    ])
    await sql`update spaces set length = length + 1 where account_id = ${account}`.execute(db)
    expect(await messages(accountId)).toEqual([
      `the search index and the tables disagree about ${observation}`,
      expect.stringMatching(/^the search index counts \d+ as length, should be \d+$/),
    ])
    await repairAll(server().ctx)
    expect(await messages(accountId)).toEqual([])
    const { observations } = await rest.searchObservations({ query: { query: 'one' } })
    expect(observations[0]?.id).toBe(observation)
  })
})
