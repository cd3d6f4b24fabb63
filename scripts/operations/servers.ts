import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Place } from './place.ts'
import { end, untilReady } from './unit.ts'

/** `loci serve` without systemd, on a port of its own. */
export type Server = { restart: () => Promise<void>; stop: () => Promise<void> }

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
  const stop = () => end(child)
  place.onRemove(stop)
  await start()
  return {
    stop,
    async restart() {
      await stop()
      await start()
    },
  }
}
