// Everything for working on Loci: a server on its own data directory with a demo graph, and the web app's
// development server in front of it. Stop it with Ctrl-C.
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError, createRestClient } from '@loci/client/rest'
import { storeDemoGraph } from './demo/store-demo-graph.ts'

const root = join(import.meta.dirname, '..')
const port = Number(process.env.PORT ?? 7400)
const url = `http://127.0.0.1:${port}`
const dataDir = join(root, '.cache', 'dev')
const login = { email: 'demo@example.com', password: 'demo-password' }

if (process.argv.includes('--fresh')) rmSync(dataDir, { recursive: true, force: true })

const children: ChildProcess[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)

const server = start(
  ['--watch-path=server/src', '--watch-path=contract/src', 'server/src/main.ts', 'serve'],
  'ignore',
)
await answers(`${url}/readyz`)
await seed()
const web = start(
  [join(root, 'node_modules/vite/bin/vite.js'), '--port', String(port + 1), '--clearScreen', 'false'],
  'inherit',
  join(root, 'web'),
)

console.log(`
  Web app   http://127.0.0.1:${port + 1}   (reloads as you edit)
  Server    ${url}   (restarts as you edit)
  Login     ${login.email} / ${login.password}
  Data      ${dataDir}   (start with -- --fresh to seed again)
`)
await Promise.race([ended(server), ended(web)])
stop()

function start(args: string[], stdout: 'inherit' | 'ignore', cwd = root): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ['ignore', stdout, 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      LOCI_DATA_DIR: dataDir,
      LOCI_LOG_LEVEL: process.env.LOCI_LOG_LEVEL ?? 'warn',
      LOCI_PUBLIC_URL: `http://127.0.0.1:${port + 1}`,
    },
  })
  children.push(child)
  return child
}

function stop(): void {
  for (const child of children) child.kill('SIGTERM')
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

async function answers(address: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (server.exitCode !== null) process.exit(server.exitCode)
    const response = await fetch(address).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The server does not answer at ${address}`)
}

/** Registers the demo user and stores the demo graph, unless they exist. */
async function seed(): Promise<void> {
  const anonymous = createRestClient({ baseUrl: url })
  try {
    const { token } = await anonymous.register({ body: { ...login, firstName: 'Demo', lastName: 'User' } })
    const rest = createRestClient({ baseUrl: url, token: () => token })
    await storeDemoGraph(rest)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'email_taken') throw error
  }
}
