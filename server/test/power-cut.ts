import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const source = join(import.meta.dirname, 'synced-only.c')
const files = ['loci.db', 'loci.db-wal']

/** Simulates a power cut that keeps only the synced part of a server's database, with a preloaded library. */
export type PowerCut = {
  /** Call before a server starts. */
  begin: (dataDir: string) => Record<string, string>
  /** Call after the server was killed: leaves the files as they would be after a power cut. */
  apply: (dataDir: string) => void
  remove: () => void
}

/** Requires a C compiler and Linux's library preloading. */
export function canCutPower(): boolean {
  if (process.platform !== 'linux') return false
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export function createPowerCut(): PowerCut {
  const directory = mkdtempSync(join(tmpdir(), 'loci-power-cut-'))
  const library = join(directory, 'synced-only.so')
  const synced = join(directory, 'synced')
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-lpthread'])
  const copy = (from: string, to: string) => {
    for (const name of files) {
      rmSync(join(to, name), { force: true })
      if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
    }
  }
  return {
    begin(dataDir) {
      mkdirSync(synced, { recursive: true })
      copy(dataDir, synced)
      return { LD_PRELOAD: library, LOCI_SYNCED: synced }
    },
    apply(dataDir) {
      copy(synced, dataDir)
      rmSync(join(dataDir, 'loci.db-shm'), { force: true })
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
