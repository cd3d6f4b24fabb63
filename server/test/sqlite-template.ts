import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { databaseFileName, openDatabase } from '../src/store/open.ts'

/** A database file with all tables and no rows: copying it takes a fraction of the time that migrating does. */
export async function createTemplateFile(): Promise<{ path: string; remove: () => void }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-template-'))
  const { db } = await openDatabase({ dataDir, databaseUrl: undefined, embeddings: undefined })
  await db.destroy()
  return {
    path: join(dataDir, databaseFileName),
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

/** Makes an empty data directory one with a migrated database without rows. */
export function fillDataDirectory(dataDir: string): void {
  copyFileSync(inject('sqliteTemplate'), join(dataDir, databaseFileName))
}
