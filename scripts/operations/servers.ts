import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Place } from './place.ts'
import { end, untilReady } from './unit.ts'

/** `loci serve` without systemd, on a port of its own. */
export type Server = {
  start: () => Promise<void>
  /** Throws if it takes longer than `withinMs`, when it would be killed. */
  stop: (options?: { withinMs?: number }) => Promise<void>
  restart: () => Promise<void>
}

export async function startServer(
  place: Place,
  command: string,
  env: Record<string, string>,
): Promise<Server> {
  const [program, ...args] = command.split(' ')
  const url = `http://127.0.0.1:${env.PORT}`
  let child: ChildProcess
  const start = async () => {
    child = spawn(program!, args, { env, cwd: place.home, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr!.pipe(createWriteStream(join(place.home, `journal-${env.PORT}`), { flags: 'a' }))
    await untilReady(url)
  }
  const stop = async ({ withinMs = Number.POSITIVE_INFINITY } = {}) => {
    const begun = performance.now()
    await end(child)
    if (performance.now() - begun > withinMs) throw new Error(`It took longer than ${withinMs} ms to stop`)
  }
  place.onRemove(() => stop())
  await start()
  return {
    start,
    stop,
    async restart() {
      await stop()
      await start()
    },
  }
}
