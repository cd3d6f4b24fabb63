import { distributeTables, listDistributionStatements } from '../../store/distribute.ts'
import { withContext } from './with-context.ts'

/** Distributes the tables over the nodes of a Citus cluster, or prints the statements for it. */
export async function distribute({ print = false }: { print?: boolean }): Promise<void> {
  await withContext(async ({ db }) => {
    if (print) {
      process.stdout.write(`${(await listDistributionStatements(db)).join('\n')}\n`)
      return
    }
    const tables = await distributeTables(db)
    process.stdout.write(
      tables.length === 0 ? 'All tables are distributed already.\n' : `Distributed ${tables.join(', ')}.\n`,
    )
  })
}
