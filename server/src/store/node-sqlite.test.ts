import { constants, DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { keepPlan } from './node-sqlite.ts'

/** How often SQLite planned a statement that was prepared once and run three times. */
function countPlans(sql: string): number {
  const database = new DatabaseSync(':memory:')
  database.exec('create table notes (text text); insert into notes values (1), (2)')
  let plans = 0
  database.setAuthorizer((action) => {
    if (action === constants.SQLITE_SELECT) plans++
    return constants.SQLITE_OK
  })
  const statement = database.prepare(sql)
  for (const limit of [1, 2, 1]) expect(statement.all(limit)).toHaveLength(limit)
  database.close()
  return plans
}

test('a statement with a limit is planned once', () => {
  const sql = 'select text from notes order by text limit ?'
  expect(countPlans(sql)).toBeGreaterThan(1)
  expect(countPlans(keepPlan(sql))).toBe(1)
})
