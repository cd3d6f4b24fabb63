/** SQLITE_CORRUPT and SQLITE_NOTADB (https://www.sqlite.org/rescode.html). */
const damageCodes = [11, 26]

/** Thrown instead of a write once the database file is known to be damaged. */
export class DamagedDatabaseError extends Error {
  override name = 'DamagedDatabaseError'
}

/** The damage to its database file that a process has found. Damage does not heal, so it is never forgotten. */
export type Damage = {
  reason: () => string | undefined
  /** Remembers an SQLite error if it reports damage. */
  noteError: (error: unknown) => void
  /** Remembers the finding of a file check. */
  note: (reason: string) => void
  /** Throws {@link DamagedDatabaseError} if there is damage. */
  requireNone: () => void
}

export function createDamage(): Damage {
  let found: string | undefined
  return {
    reason: () => found,
    noteError(error) {
      if (found === undefined && isDamage(error)) found = (error as Error).message
    },
    note(reason) {
      found ??= reason
    },
    requireNone() {
      if (found !== undefined) throw new DamagedDatabaseError(found)
    },
  }
}

/** Whether an error reports a damaged database file. */
export function isDamage(error: unknown): boolean {
  if (error instanceof DamagedDatabaseError) return true
  return damageCodes.includes(((error as { errcode?: number } | undefined)?.errcode ?? 0) & 0xff)
}
