import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs, toIso } from '../../ground/lib/time.ts'
import type { Storage } from '../../store/dialect.ts'
import type { Context } from '../../tenancy/context.ts'
import { readBackup } from '../backups/read-backup.ts'
import { type Finding, failed, inBytes, ok, warning } from './finding.ts'

const backupAgeMaxMs = 7 * dayMs

type File = NonNullable<Storage['file']>

/** The database, and where it is a file of ours, its disk and its last backup. */
export async function examineDatabase({ db, dialect, now }: Context): Promise<Finding[]> {
  const { bytes, file } = await dialect.storage(db)
  const database = ok('database', `${dialect.name}, ${inBytes(bytes)}`)
  return file === undefined ? [database] : [database, diskOf(file, bytes), backupOf(file, now())]
}

function diskOf({ freeBytes, isFull }: File, bytes: number): Finding {
  const says = `${inBytes(freeBytes)} free, the database takes ${inBytes(bytes)}`
  const cure =
    'Free some space or move LOCI_DATA_DIR to a larger disk: a backup needs as much as the database.'
  if (isFull) return failed('disk', `The disk is full: writes are refused. ${says}`, cure)
  return freeBytes < bytes ? warning('disk', says, cure) : ok('disk', says)
}

function backupOf({ backupAt }: File, now: number): Finding {
  const cure = 'Run "loci backup FILE" regularly, and keep the file on another disk.'
  if (backupAt === 0) return warning('backup', 'There has never been a backup.', cure)
  const says = `The last one was written at ${toIso(backupAt)}.`
  return now - backupAt > backupAgeMaxMs ? warning('backup', says, cure) : ok('backup', says)
}

/** Restores a backup beside the data directory, as `loci restore` does, and removes it again. */
export async function examineBackup(
  path: string,
  dataDir: string,
  askPassphrase: () => Promise<string>,
): Promise<Finding> {
  const folder = await mkdtemp(join(dataDir, 'doctor-'))
  try {
    const { createdAt } = await readBackup(path, folder, askPassphrase)
    return ok('restore', `${path} of ${createdAt} was restored and is sound.`)
  } catch (error) {
    return failed(
      'restore',
      `${path} cannot be restored: ${(error as Error).message}`,
      'Make another backup.',
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
