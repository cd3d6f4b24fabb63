import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config/config.ts'
import { tryLockDirectory } from './directory-lock.ts'

const fileOf = (dataDir: string) => join(dataDir, 'server.address')

/** Records where the server of this data directory is reached; returns the function that forgets it. */
export function recordAddress(dataDir: string, address: string): () => void {
  try {
    writeFileSync(fileOf(dataDir), `${address}\n`, { mode: 0o600 })
  } catch {
    // A full disk must not keep the server from starting.
  }
  return () => rmSync(fileOf(dataDir), { force: true })
}

/** The address of the server that runs on the data directory; what a killed one left behind does not count. */
export function findAddress({ dataDir, databaseUrl }: Config): string | undefined {
  if (databaseUrl !== undefined) return undefined
  try {
    const address = readFileSync(fileOf(dataDir), 'utf8').trim()
    const lock = tryLockDirectory(dataDir)
    lock?.release()
    return lock === undefined ? address : undefined
  } catch {
    return undefined
  }
}
