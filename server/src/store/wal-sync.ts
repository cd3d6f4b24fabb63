import { type FileHandle, open } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'

/**
 * Syncs SQLite's write-ahead log to the disk while the process continues. `endReads` ends a read transaction, in which
 * no checkpoint could run.
 */
export function createWalSync(database: DatabaseSync, walFile: string, endReads: () => void) {
  // The system reports an error once per open file, so `syncAhead` must not take it from a `sync` that is running.
  const [log, ahead] = [createHandle(walFile), createHandle(walFile)]
  let failure: unknown

  return {
    /** Writes what was committed so far, so that the next `sync` has less to write. An error is left to that. */
    async syncAhead(): Promise<void> {
      try {
        await (await ahead.open()).datasync()
      } catch (error) {
        failure = error
      }
    },
    async sync(): Promise<void> {
      try {
        const handle = await log.open()
        if (failure === undefined) return await handle.datasync()
      } catch (error) {
        failure = error
      }
      // After a failed fsync the system may report the next one as clean, so fall back to a full checkpoint.
      endReads()
      const { busy, log: pages, checkpointed } = database.prepare('pragma wal_checkpoint(full)').get() ?? {}
      if (busy !== 0 || pages !== checkpointed) throw failure
      failure = undefined
    },
    close(): void {
      log.close()
      ahead.close()
    },
  }
}

/** A file that is opened once, however many ask for it at a time: Node ends the process over a handle that it loses. */
function createHandle(file: string) {
  let opening: Promise<FileHandle> | undefined
  return {
    open(): Promise<FileHandle> {
      // Windows does not flush a file that was opened read-only.
      opening ??= open(file, 'r+').catch((error: unknown) => {
        opening = undefined
        throw error
      })
      return opening
    },
    close(): void {
      void opening?.then(
        (handle) => handle.close(),
        () => {},
      )
    },
  }
}
