import { type FileHandle, open } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'

/**
 * Syncs SQLite's write-ahead log to the disk while the process continues. `endReads` ends a read transaction, in which
 * no checkpoint could run.
 */
export function createWalSync(database: DatabaseSync, walFile: string, endReads: () => void) {
  let wal: FileHandle | undefined
  let failure: unknown

  return {
    async sync(): Promise<void> {
      try {
        // Windows does not flush a file that was opened read-only.
        wal ??= await open(walFile, 'r+')
        if (failure === undefined) return await wal.datasync()
      } catch (error) {
        failure = error
      }
      // After a failed fsync the system may report the next one as clean, so fall back to a full checkpoint.
      endReads()
      const { busy, log, checkpointed } = database.prepare('pragma wal_checkpoint(full)').get() ?? {}
      if (busy !== 0 || log !== checkpointed) throw failure
      failure = undefined
    },
    close(): void {
      void wal?.close()
    },
  }
}
