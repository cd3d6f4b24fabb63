import { rename, rm, writeFile } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { readableAt } from './sqlite-file.ts'

const pagesPerStep = 1_000

/**
 * Copies a database page by page while others write (https://www.sqlite.org/backup.html), readable by its owner only,
 * and checks the copy. Throws if the copy is damaged.
 */
export async function copyDatabase(source: string, target: string): Promise<void> {
  await removeDatabase(target)
  const database = new DatabaseSync(readableAt(source), { readOnly: true, timeout: 5_000 })
  try {
    // Created before it is filled, so that nobody else can read it. SQLite gives its journal the same mode.
    await writeFile(target, '', { mode: 0o600, flag: 'wx' })
    await backup(database, target, { rate: pagesPerStep })
  } finally {
    database.close()
  }
  requireSound(target)
}

/** Copies a database to a file, atomically replacing an older one. */
export async function keepCopy(source: string, target: string): Promise<void> {
  const part = `${target}.${process.pid}`
  try {
    await copyDatabase(source, part)
    await rename(part, target)
  } finally {
    await removeDatabase(part)
  }
}

/** Deletes a database file and the files that SQLite may have left beside it. */
export async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(file + suffix, { force: true })
}

/** Throws with the findings of SQLite's own check of a file that nobody writes to. */
export function requireSound(file: string): void {
  withReader(file, (database) => {
    const found = database.prepare('pragma quick_check(1)').get()?.quick_check
    if (found !== 'ok') throw new Error(`the database is damaged (${found}). Run \`loci check\`.`)
  })
}

/** The value sealed with the secret of a database, from a file that nobody writes to. */
export function readSealedCheck(file: string): string | undefined {
  return withReader(file, (database) => {
    const row = database.prepare("select sealed from sealed_checks where name = 'secret'").get()
    return row?.sealed as string | undefined
  })
}

/** Leaves no log beside the file, which opening it normally would. */
function withReader<T>(file: string, read: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(new URL('?immutable=1', pathToFileURL(file)), { readOnly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}
