import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const fileOf = (pid: number) => join(tmpdir(), `loci-live-heap-${pid}`)

/** Arguments that Node must be started with for {@link liveHeapOf} to work. */
export const liveHeapArgv = ['--expose-gc', '--import', import.meta.url]

/** MB on the heap of such a process after a full garbage collection, which stops it meanwhile. */
export async function liveHeapOf(pid: number): Promise<number> {
  const file = fileOf(pid)
  process.kill(pid, 'SIGUSR2')
  for (;;) {
    await sleep(20)
    try {
      const bytes = Number(readFileSync(file, 'utf8'))
      rmSync(file)
      return bytes / 2 ** 20
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

// Runs in the process that was started so.
if (globalThis.gc !== undefined) {
  process.on('SIGUSR2', () => {
    globalThis.gc?.()
    writeFileSync(fileOf(process.pid), `${process.memoryUsage().heapUsed}`)
  })
}
