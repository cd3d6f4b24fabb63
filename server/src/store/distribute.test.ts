import { expect, test } from 'vitest'
import { isOnCitus } from '../../test/citus.ts'
import { describeOnBothDatabases } from '../../test/harness.ts'
import { accountTables } from './account-tables.ts'
import { distributeTables, listDistributionStatements } from './distribute.ts'

describeOnBothDatabases('distributing the tables', (server, dialect) => {
  test.runIf(dialect === 'sqlite')('is refused on SQLite, in words', async () => {
    const { ctx } = server()
    await expect(distributeTables(ctx.db)).rejects.toThrow('Only PostgreSQL can be distributed')
    await expect(listDistributionStatements(ctx.db)).rejects.toThrow('Only PostgreSQL')
  })

  test.runIf(dialect === 'postgres' && !isOnCitus)(
    'is refused where there is no Citus, in words',
    async () => {
      const { ctx } = server()
      await expect(distributeTables(ctx.db)).rejects.toThrow('has no Citus')
    },
  )

  test.runIf(dialect === 'postgres')(
    'names each table of accounts, accounts first, then credentials by their hash',
    async () => {
      const { ctx } = server()
      const statements = await listDistributionStatements(ctx.db)
      const distributed = statements.map((statement) =>
        statement.match(/'(\w+)', '(\w+)', colocate_with => '(\w+)'/)?.slice(1),
      )
      expect(distributed[0]).toEqual(['accounts', 'account_id', 'none'])
      expect(distributed).toContainEqual(['credentials', 'hash', 'none'])
      const others = distributed.flatMap((of) => (of?.[2] === 'accounts' ? [of[0]] : []))
      expect(others.toSorted()).toEqual(
        [...Object.keys(accountTables), 'postings', 'posting_blocks'].toSorted(),
      )
    },
  )
})
