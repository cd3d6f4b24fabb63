import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { cleanEnvironment, envFile, here, type Place, readEnvFile } from './place.ts'

const supervisor = join(import.meta.dirname, '../../server/test/pass-socket.pl')
const startMs = 60_000

/** What systemd would have started by `loci.service` and `loci.socket`. */
export type Unit = {
  url: string
  /** As `systemctl restart loci`: returns when the next process serves. */
  restart: () => Promise<void>
  /** As `systemctl stop loci.service loci.socket`. */
  stop: () => Promise<void>
}

/** The variables of the unit as it was copied, with those of its file. */
export async function unitEnvironment(place: Place): Promise<Record<string, string>> {
  return { ...(await ownVariables(place)), ...(await readEnvFile(place)) }
}

async function ownVariables(place: Place): Promise<Record<string, string>> {
  const unit = here(place, await readFile(join(place.root, 'etc/systemd/system/loci.service'), 'utf8'))
  const own = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])
  return { ...cleanEnvironment(place), ...Object.fromEntries(own) }
}

/** Runs the program of the unit in its environment, on a socket that outlives it. */
export async function startUnit(place: Place): Promise<Unit> {
  const unit = here(place, await readFile(join(place.root, 'etc/systemd/system/loci.service'), 'utf8'))
  const words = /^ExecStart=(.*)$/m.exec(unit)![1]!.split(' ')
  const port = String(place.ports.server)
  const env = { ...(await ownVariables(place)), LISTEN_PORT: port, ENVIRONMENT_FILE: envFile(place) }
  const child = spawn('perl', [supervisor, ...words], { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  child.stderr.pipe(createWriteStream(join(place.home, `journal-${port}`), { flags: 'a' }))
  const pids: number[] = []
  createInterface(child.stdout).on('line', (line) => {
    const [, pid] = /^started (\d+)$/.exec(line) ?? []
    if (pid !== undefined) pids.push(Number(pid))
  })
  place.onRemove(() => end(child))
  const url = `http://127.0.0.1:${port}`
  await untilReady(url)
  return {
    url,
    async restart() {
      const before = pids.length
      process.kill(pids.at(-1)!, 'SIGTERM')
      for (const deadline = Date.now() + startMs; pids.length === before && Date.now() < deadline; )
        await new Promise((resolve) => setTimeout(resolve, 20))
      await untilReady(url)
    },
    stop: () => end(child),
  }
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Connections wait while nobody accepts them, so one attempt is bounded. */
export async function untilReady(url: string, patienceMs = startMs): Promise<void> {
  let reason: unknown
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    try {
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) })
      if (answer.ok) return
      reason = await answer.text()
    } catch (error) {
      reason = error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} does not serve`, { cause: reason })
}
