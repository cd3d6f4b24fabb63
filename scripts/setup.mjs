// Runs on any Node >= 20, before anything is installed: installs the packages of the lock file if it changed,
// then bundles the server and builds the web app if their sources changed. `--with-tools` also installs the
// packages for tests, benchmarks and checks; once installed, they stay. `--no-web` skips the web app.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleOfSources } from '../server/bin/bundle.js'
import { explainMissingNode, installedNode, isNewEnough } from '../server/bin/runtime.js'
import { explainMissingLinks } from './postgres-links.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const cache = join(root, '.cache')
const modules = join(root, 'node_modules')
const someTool = join(modules, 'vitest')

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Loci needs Node 20 or newer to start; this is ${process.version}.`)
  process.exit(1)
}

const asksForTools = process.argv.includes('--with-tools')
const withTools = asksForTools || existsSync(someTool)
const packages = fingerprint(['package.json', 'package-lock.json'])
once(
  'installed',
  withTools ? `${packages} with tools` : packages,
  existsSync(withTools ? someTool : modules),
  () => {
    console.log('Installing dependencies (about a minute, only when they change) ...')
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    run('npm', ['ci', ...(withTools ? [] : ['--omit=dev']), ...quiet])
  },
)

removeForeignNode()
if (!isNewEnough && !existsSync(installedNode)) stop(explainMissingNode())
const missingLinks = asksForTools ? explainMissingLinks(modules) : undefined
if (missingLinks !== undefined) stop(missingLinks)

// With the Node that was just installed, as in npm's scripts.
if (!existsSync(bundleOfSources()) && statusOf('npx', ['node', 'scripts/bundle-server.mjs']) !== 0) {
  console.warn('The server could not be bundled. It runs all the same, and takes longer to start.')
}

if (!process.argv.includes('--no-web') && existsSync(join(root, 'web', 'vite.config.ts'))) {
  const sources = ['web', 'contract/src', 'client/src', 'graph-engine/src'].flatMap(filesBelow)
  once('web-built', fingerprint(sources), existsSync(join(root, 'web', 'dist', 'index.html')), () => {
    console.log('Building the web app ...')
    run('npm', ['run', '--silent', 'build', '--workspace', 'web'])
  })
}

noteClone()

/** Claude Code copies the plugin to a place of its own; this tells it there which program to start. */
function noteClone() {
  const plugin = join(root, 'plugins', 'claude-code')
  if (!existsSync(plugin)) return
  const program = join(root, 'server', 'bin', 'loci.js')
  writeFileSync(join(plugin, 'clone.json'), `${JSON.stringify({ program })}\n`)
}

/** A Node built for another C library than this system's (Alpine) cannot start, and would shadow the system's own. */
function removeForeignNode() {
  if (!existsSync(installedNode) || spawnSync(installedNode, ['--version']).status === 0) return
  rmSync(installedNode)
  rmSync(join(modules, '.bin', 'node'), { force: true })
}

/** Does `work` unless it was done for this fingerprint and its output still exists. */
function once(name, print, stillThere, work) {
  const stamp = join(cache, name)
  if (stillThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === print) return
  work()
  mkdirSync(cache, { recursive: true })
  writeFileSync(stamp, print)
}

function fingerprint(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function filesBelow(directory) {
  return readdirSync(join(root, directory), { withFileTypes: true })
    .filter((entry) => !['node_modules', 'dist'].includes(entry.name))
    .flatMap((entry) => {
      const path = `${directory}/${entry.name}`
      return entry.isDirectory() ? filesBelow(path) : statSync(join(root, path)).isFile() ? [path] : []
    })
    .sort()
}

function run(command, args) {
  const status = statusOf(command, args)
  if (status !== 0) process.exit(status ?? 1)
}

function statusOf(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }).status
}

function stop(message) {
  console.error(message)
  process.exit(1)
}
