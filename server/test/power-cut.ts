import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const source = join(import.meta.dirname, 'synced-only.c')
const files = ['loci.db', 'loci.db-wal']

/** What a disk writes whole. */
const sectorBytes = 512

/**
 * Simulates a power cut with a preloaded library: what a server's database had synced survives, and of what it wrote
 * since then any sectors that the disk happened to have written, in whatever order.
 */
export type PowerCut = {
  /** Call before a server starts. */
  begin: (dataDir: string) => Record<string, string>
  /** Call after the server was killed: leaves the files as they would be after a power cut. */
  apply: (dataDir: string, random: () => number) => void
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
    apply(dataDir, random) {
      const share = random() < 0.3 ? 0 : random()
      for (const name of files) tearFile(join(synced, name), join(dataDir, name), () => random() < share)
      rmSync(join(dataDir, 'loci.db-shm'), { force: true })
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Puts the synced file in the place of the written one, but for those sectors that happened to be written. */
function tearFile(synced: string, written: string, isWritten: () => boolean): void {
  if (!existsSync(synced)) {
    rmSync(written, { force: true })
    return
  }
  const kept = readFileSync(synced)
  const newer = existsSync(written) ? readFileSync(written) : kept
  const torn = Buffer.alloc(Math.max(kept.length, newer.length))
  kept.copy(torn)
  let length = kept.length
  for (let at = 0; at < newer.length; at += sectorBytes) {
    if (!isWritten()) continue
    newer.copy(torn, at, at, at + sectorBytes)
    length = Math.max(length, Math.min(at + sectorBytes, newer.length))
  }
  writeFileSync(written, torn.subarray(0, length))
}
