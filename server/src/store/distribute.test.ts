import { expect, test } from 'vitest'
import { isOnCitus } from '../../test/citus.ts'
import { runLociInProcess } from '../../test/command-in-process.ts'
import { describeOnBothDatabases } from '../../test/harness.ts'
import { environmentOf, runLoci } from '../../test/loci-command.ts'
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

  test.runIf(dialect === 'postgres')('divides the tables into as many shards as are asked for', async () => {
    const env = environmentOf(server().config)
    const { stdout } = await runLoci(['distribute', '--print', '--shards', '128'], { env })
    const lines = stdout.trim().split('\n')
    expect(lines[0]).toContain("colocate_with => 'none', shard_count => 128")
    // The others are placed with the accounts.
    expect(lines.filter((line) => line.includes('shard_count'))).toHaveLength(2)
    for (const shards of ['0', '2000', 'many', '1e2', '']) {
      const refused = await runLociInProcess(['distribute', '--print', '--shards', shards], { env })
      expect([shards, refused.code, refused.stderr]).toEqual([
        shards,
        1,
        '--shards must be a whole number from 1 to 1024\n',
      ])
    }
  })
})
