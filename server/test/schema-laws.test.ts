import { beforeAll, expect, test } from 'vitest'
import { accountTables } from '../src/store/account-tables.ts'
import { describeOnBothDatabases } from './harness.ts'
import { readSchema, type Schema, type TableSchema } from './read-schema.ts'

/** Tables that belong to no account, and FTS5 tables in which the account is part of the row's number. */
const ofNoAccount = [
  'users',
  'recovery_codes',
  'passkeys',
  'used_challenges',
  'attempts',
  'embedders',
  'leases',
  'sealed_checks',
  'moves',
  'stripe_events',
  'test_clock',
  'oauth_clients',
  'oauth_requests',
  'migrations',
]
const isOfFullTextIndex = ({ name }: TableSchema) => /^posting(s|s_\w+)$/.test(name)
/** Looked up by a secret's hash, before the account is known. */
const foundByHash = 'credentials'

describeOnBothDatabases('the schema', (server, dialect) => {
  let schema: Schema
  beforeAll(async () => {
    schema = await readSchema(server().ctx.db, dialect)
  })
  const tenants = () =>
    schema.tables.filter((table) => table.columns.includes('account_id') && table.name !== foundByHash)
  const namesOf = (tables: readonly TableSchema[]) => tables.map(({ name }) => name).sort()

  test('declares for each table whether it belongs to an account', () => {
    const others = schema.tables.filter(
      (table) => !table.columns.includes('account_id') && !(dialect === 'sqlite' && isOfFullTextIndex(table)),
    )
    expect(namesOf(others)).toEqual([...ofNoAccount].sort())
  })

  test("has the account's number first in every primary key and unique index of a tenant's table", () => {
    expect(tenants().length).toBeGreaterThan(30)
    for (const { name, primaryKey, uniques } of tenants()) {
      expect([name, primaryKey[0]]).toEqual([name, 'account_id'])
      for (const columns of uniques) expect([name, columns[0]]).toEqual([name, 'account_id'])
    }
  })

  test('has no triggers, and nothing that deletes or changes rows of another table', () => {
    expect(schema.triggers).toEqual([])
    const actions = schema.tables.flatMap(({ name, foreignKeys }) =>
      foreignKeys.map(({ table, onDelete }) => `${name} -> ${table}: ${onDelete}`),
    )
    expect(actions.length).toBeGreaterThan(0)
    expect(actions.filter((action) => !action.endsWith(': no action'))).toEqual([])
  })

  test('is what deleting an account goes through, in an order that leaves no reference behind', () => {
    const emptiedByOthers = ['accounts', 'postings', 'posting_blocks']
    const listed = Object.entries<readonly string[]>(accountTables)
    const names = listed.map(([name]) => name)
    expect(names.toSorted()).toEqual(namesOf(tenants()).filter((name) => !emptiedByOthers.includes(name)))
    for (const [index, [name, key]] of listed.entries()) {
      const table = schema.tables.find((candidate) => candidate.name === name)!
      expect([name, ...key]).toEqual([name, ...table.primaryKey.slice(1)])
      for (const { table: target } of table.foreignKeys) expect(names.indexOf(target)).toBeGreaterThan(index)
    }
  })
})
