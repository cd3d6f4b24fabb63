import { ConfigError } from '../ground/config/config.ts'
import type { Db } from './db.ts'
import { dialectOf } from './dialect-of.ts'
import type { Migration } from './migration.ts'

/** How a process with these migrations introduces itself to PostgreSQL. */
export const processNameOf = (known: readonly Migration[]) => `loci ${known.at(-1)!.name}`.slice(0, 63)

/** Throws {@link ConfigError} if one of `group` would break a process of an older version that is connected. */
export async function requireNoOlder(db: Db, group: readonly Migration[]): Promise<void> {
  const breaking = group.filter(({ endsOlder }) => endsOlder !== undefined)
  if (breaking.length === 0) return
  const connected = await dialectOf(db).listProcesses(db)
  for (const migration of breaking) {
    const older = connected.filter(({ name }) => name < processNameOf([migration]))
    if (older.length === 0) continue
    const addresses = [...new Set(older.map(({ address }) => address))].join(', ')
    throw new ConfigError(
      `This version changes the database so that older processes cannot serve on (${migration.name}: ${migration.endsOlder}). ` +
        `One or more are connected from ${addresses}. Stop them, then start again; nothing was changed.`,
    )
  }
}
