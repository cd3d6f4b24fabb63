import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** An environment in which a program never waits for the disk; undefined without a C compiler on Linux. */
export function withoutSync(directory: string): Record<string, string> | undefined {
  if (process.platform !== 'linux') return undefined
  const library = join(directory, 'without-sync.so')
  const source = join(import.meta.dirname, 'without-sync.c')
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, source], { stdio: 'ignore' })
    return { LD_PRELOAD: library }
  } catch {
    return undefined
  }
}
