import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '../../server/test/free-port.ts'

/** An empty home, and a folder that stands for the root of the file system. */
export type Place = {
  home: string
  root: string
  /** Where the servers listen, and the proxy in front of them. */
  ports: { server: number; second: number; public: number }
  /** Ends the processes that are still running, and removes everything. */
  remove: () => Promise<void>
  onRemove: (work: () => unknown) => void
}

export async function makePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'loci-operations-'))
  // PostgreSQL's programs run as another user.
  await chmod(folder, 0o755)
  const place = { home: join(folder, 'home'), root: join(folder, 'root') }
  for (const path of [
    place.home,
    ...['etc/systemd/system', 'etc/ssl', 'usr/local', 'var/lib', 'tmp'].map(inRoot),
  ])
    await mkdir(path, { recursive: true })
  function inRoot(path: string) {
    return join(place.root, path)
  }
  const ports = { server: await freePort(), second: await freePort(), public: await freePort() }
  const works: (() => unknown)[] = []
  return {
    ...place,
    ports,
    onRemove: (work) => void works.unshift(work),
    remove: async () => {
      for (const work of works) await work()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** A text of the pages with our paths, ports and names instead of its own. */
export function here({ root, home, ports }: Place, documented: string): string {
  return documented
    .replaceAll(/(?<![\w/.])\/(?=(?:usr\/local|etc|var\/lib|tmp)\b)/g, `${root}/`)
    .replaceAll('~/', `${home}/`)
    .replaceAll('https://loci.example.com', publicUrl({ ports }))
    .replaceAll('loci.example.com', 'localhost')
    .replaceAll('127.0.0.1:7400', `127.0.0.1:${ports.server}`)
    .replaceAll('127.0.0.1:7401', `127.0.0.1:${ports.second}`)
}

export const publicUrl = ({ ports }: Pick<Place, 'ports'>) => `https://localhost:${ports.public}`

type Variables = Record<string, string>

/** Nothing of ours but the way to programs: the installed one first, then this Node, then the system's. */
export const cleanEnvironment = ({ root, home }: Place): Variables => ({
  HOME: home,
  PATH: [join(root, 'usr/local/bin'), dirname(process.execPath), '/usr/bin', '/bin', '/usr/sbin'].join(':'),
})

/** Runs a text of the pages with the shell; throws if it fails. */
export async function shell(place: Place, script: string, env: Variables = {}, input = ''): Promise<string> {
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: place.home,
    env: { ...cleanEnvironment(place), ...env },
  })
  // A program may end without reading.
  child.stdin.on('error', () => {}).end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${out}${err}`)
  return out
}

export const envFile = ({ root }: Place) => join(root, 'etc/loci.env')

/** Sets lines of /etc/loci.env; undefined takes a line out. */
export async function configure(place: Place, changes: Record<string, string | undefined>): Promise<void> {
  const next = { ...(await readEnvFile(place)), ...changes }
  const lines = Object.entries(next).filter(([, value]) => value !== undefined)
  await writeFile(envFile(place), lines.map(([name, value]) => `${name}=${value}\n`).join(''))
}

export async function readEnvFile(place: Place): Promise<Variables> {
  const lines = (await readFile(envFile(place), 'utf8')).trim().split('\n')
  return Object.fromEntries(lines.filter(Boolean).map((line) => line.split(/=(.*)/s, 2) as [string, string]))
}
