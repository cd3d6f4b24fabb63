import { type FileHandle, open } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'

/** Puts what SQLite has written to its log onto the disk, while the process goes on. */
export function createWalSync(database: DatabaseSync, walFile: string) {
  let wal: FileHandle | undefined
  let failure: unknown

  return {
    async sync(): Promise<void> {
      try {
        // Where it cannot be written to, Windows does not flush a file.
        wal ??= await open(walFile, 'r+')
        if (failure === undefined) return await wal.datasync()
      } catch (error) {
        failure = error
      }
      // What could not be written once, the system takes for written the next time. Copied to the database it is safe.
      const { busy, log, checkpointed } = database.prepare('pragma wal_checkpoint(full)').get() ?? {}
      if (busy !== 0 || log !== checkpointed) throw failure
      failure = undefined
    },
    close(): void {
      void wal?.close()
    },
  }
}
