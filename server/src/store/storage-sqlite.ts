import { statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Storage } from './dialect.ts'
import { sizeOf } from './sqlite-file.ts'

/** Its time is that of the last complete backup. */
export const backupMark = 'backup.done'

export function storageOf(file: string, isFull: boolean): Storage {
  const directory = dirname(file)
  const { bavail, bsize } = statfsSync(directory)
  const mark = statSync(join(directory, backupMark), { throwIfNoEntry: false })
  return {
    bytes: sizeOf(file) + sizeOf(`${file}-wal`),
    file: { freeBytes: bavail * bsize, backupAt: mark?.mtimeMs ?? 0, isFull },
  }
}
