import { ConfigError } from '../../ground/config/config.ts'
import { distributeTables, listDistributionStatements, shardsMax } from '../../store/distribute.ts'
import { withContext } from './with-context.ts'

/** Distributes the tables over the nodes of a Citus cluster, or prints the statements for it. */
export async function distribute({
  print = false,
  shards,
}: {
  print?: boolean
  shards?: string
}): Promise<void> {
  const count = shards === undefined ? undefined : toCount(shards)
  await withContext(async ({ db }) => {
    if (print) {
      process.stdout.write(`${(await listDistributionStatements(db, count)).join('\n')}\n`)
      return
    }
    const tables = await distributeTables(db, count)
    process.stdout.write(
      tables.length === 0 ? 'All tables are distributed already.\n' : `Distributed ${tables.join(', ')}.\n`,
    )
  })
}

function toCount(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= shardsMax) return count
  throw new ConfigError(`--shards must be a whole number from 1 to ${shardsMax}`)
}
