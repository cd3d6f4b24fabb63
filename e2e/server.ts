import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../server/test/free-port.ts'

const main = fileURLToPath(new URL('../server/bin/loci.js', import.meta.url))
const startMs = 60_000
const execute = promisify(execFile)

export type RunningServer = {
  url: string
  /** Runs `loci ...` beside the server, on its data; returns its output. */
  run: (...command: string[]) => Promise<string>
  stop: () => Promise<void>
}

/** The real server on a free port with an empty data directory; `environment` adds variables. */
export async function startServer(environment: Record<string, string> = {}): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'loci-e2e-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    PORT: String(port),
    LOCI_DATA_DIR: dataDir,
    LOCI_LOG_LEVEL: 'warn',
    ...environment,
  }
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  await untilReady(url, child)
  return {
    url,
    run: async (...command) => {
      const { stdout } = await execute(process.execPath, [main, ...command], { env })
      return stdout
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode === null && child.kill('SIGTERM')) await ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + startMs
  while (Date.now() < end && child.exitCode === null) {
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    await delay(50)
  }
  throw new Error('The server did not start')
}
