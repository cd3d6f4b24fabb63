// Packs the packages, installs them into empty folders, and tests everything on the oldest Node that runs the
// program and on the current lines, each without a network if the system allows that: `npm run test:pack`.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oldestNode } from '../server/bin/oldest-node.js'
import { installInto } from './pack/install.ts'
import { run } from './pack/run.ts'
import { writePackage } from './pack/write-packages.ts'

const lines = [`${oldestNode}.0`, '22', '24', '26']

const place = await mkdtemp(join(tmpdir(), 'loci-try-'))
try {
  const program = await writePackage('program', join(place, 'packages'))
  const client = await writePackage('client', join(place, 'packages'))
  console.log(
    `${(program.bytes / 1e6).toFixed(1)} MB, unpacked ${(program.unpackedBytes / 1e6).toFixed(1)} MB`,
  )
  for (const line of lines) {
    const node = await fetchNode(join(place, `node-${line}`), line)
    const folder = join(place, `on-${line}`)
    const startedAt = performance.now()
    await installInto(folder, [program.file, client.file])
    const installedAt = performance.now()
    check(folder, node)
    const seconds = (from: number, to: number) => `${((to - from) / 1_000).toFixed(1)} s`
    const version = (await run(node, ['--version'], place)).trim()
    console.log(
      `${version}: installed in ${seconds(startedAt, installedAt)}, checked in ${seconds(installedAt, performance.now())}`,
    )
  }
} finally {
  await rm(place, { recursive: true, force: true })
}

/** The newest Node of a line, from npm. */
async function fetchNode(folder: string, line: string): Promise<string> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  await run(
    'npm',
    ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', `${name}@${line}`],
    place,
  )
  return join(folder, 'node_modules', name, 'bin/node')
}

/** Runs in its own process, which on Linux has no network but loopback. */
function check(folder: string, node: string): void {
  const args = [join(import.meta.dirname, 'pack/check-thoroughly-here.ts'), folder, node]
  const isolated = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, ...args]
  const mayIsolate = spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up']).status === 0
  if (!mayIsolate) console.warn('This system cannot take the network away; what follows has one.')
  const { status } = mayIsolate
    ? spawnSync('unshare', isolated, { stdio: 'inherit' })
    : spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`The packages failed on ${node}`)
}
