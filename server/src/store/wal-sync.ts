import { type FileHandle, open } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'

/**
 * Syncs SQLite's write-ahead log to the disk while the process continues. `endReads` ends a read transaction, in which
 * no checkpoint could run.
 */
export function createWalSync(database: DatabaseSync, walFile: string, endReads: () => void) {
  let wal: FileHandle | undefined
  let ahead: FileHandle | undefined
  let failure: unknown
  // Windows does not flush a file that was opened read-only.
  const openLog = () => open(walFile, 'r+')

  return {
    /** Writes what was committed so far, so that the next `sync` has less to write. An error is left to that. */
    async syncAhead(): Promise<void> {
      try {
        // The system reports an error once per open file, and this must not take it from a `sync` that is running.
        ahead ??= await openLog()
        await ahead.datasync()
      } catch (error) {
        failure = error
      }
    },
    async sync(): Promise<void> {
      try {
        wal ??= await openLog()
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
      void ahead?.close()
    },
  }
}
