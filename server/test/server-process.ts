import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Config } from '../src/ground/config/config.ts'

const main = join(import.meta.dirname, '../bin/loci.js')

/** A listening program in its own process. */
export type ServerProcess = {
  url: string
  pid: number
  /** Sends SIGKILL and waits for the process to end. */
  kill: () => Promise<unknown>
  /** Sends SIGTERM and returns the exit code. */
  stop: () => Promise<number | null>
}

/** Starts `loci serve` on a free port and waits until it listens. */
export async function startServerProcess(
  config: Config,
  options: {
    logLevel?: string
    stderr?: 'inherit' | 'ignore'
    execArgv?: string[]
    env?: Record<string, string>
  } = {},
): Promise<ServerProcess> {
  const env = {
    PORT: '0',
    LOCI_DATA_DIR: config.dataDir,
    LOCI_LOG_LEVEL: options.logLevel ?? 'silent',
    DATABASE_URL: config.databaseUrl ?? '',
    LOCI_SECRET: config.secret ?? '',
    LOCI_BURST_LIMIT: config.burstLimit ? 'on' : 'off',
    ...options.env,
  }
  return startProgram([...(options.execArgv ?? []), main, 'serve'], { env, stderr: options.stderr })
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a Node program and waits until it prints its address. `input` goes to its standard input. */
export async function startProgram(
  args: readonly string[],
  { env = {}, input = '', stderr = 'inherit' }: ProgramOptions = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', stderr],
  })
  child.stdin!.end(input)
  // A test that failed before it stopped the program must not keep the test run from ending.
  running.add(child)
  child.once('exit', () => running.delete(child))
  return {
    url: await addressOf(child),
    pid: child.pid!,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  }
}

type ProgramOptions = {
  env?: Record<string, string>
  input?: string
  stderr?: 'inherit' | 'ignore' | undefined
}

async function addressOf(child: ChildProcess): Promise<string> {
  let greeting = ''
  for await (const piece of child.stdout!) {
    greeting += piece
    const [address] = /http:\/\/127\.0\.0\.1:\d+(?=\n)/.exec(greeting) ?? []
    if (address !== undefined) return address
  }
  throw new Error(`The server did not start: ${greeting}`)
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  child.kill(signal)
  const [code] = await once(child, 'exit')
  return code
}

/** Reproducible random numbers from 0 to 1: mulberry32, https://github.com/cprosche/mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}
