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

const place = realpathSync(mkdtempSync(join(tmpdir(), 'loci-bin-')))
afterAll(() => rmSync(place, { recursive: true }))

test('without packages, the program and its start say how to go on, in one sentence', () => {
  cpSync(import.meta.dirname, join(place, 'server/bin'), { recursive: true })
  cpSync(join(import.meta.dirname, '../../scripts/setup.mjs'), join(place, 'scripts/setup.mjs'))
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
  // As npm leaves it where install scripts are off.
  write('node_modules/node/package.json', '{}')
  write(
    '.cache/installed',
    createHash('sha256').update('package.json{"type":"module"}package-lock.json{}').digest('hex'),
  )
  const scriptsOff = `${needed}, and npm did not install the newer one, since install scripts are off (ignore-scripts): in the repository, run "npm rebuild node --ignore-scripts=false", then start again.\n`
  for (const program of ['server/bin/loci.js', 'scripts/setup.mjs']) expect(fail(program)).toBe(scriptsOff)
  write('server/src/main.ts', "import './no-such-file.ts'")
  cpSync(join(import.meta.dirname, 'runtime.js'), join(place, 'server/bin/runtime.js'))
  expect(fail('server/bin/loci.js')).toContain('ERR_MODULE_NOT_FOUND')
})

test('the program runs from its bundle, until a source changes', async () => {
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

test('what was compiled is kept for its user alone, or not at all', () => {
  cpSync(import.meta.dirname, join(place, 'server/bin'), { recursive: true })
  write('package.json', '{"type":"module"}')
  write(
    'server/src/main.ts',
    "import { getCompileCacheDir } from 'node:module'; console.log(getCompileCacheDir())",
  )
  rmSync(join(place, 'server/dist'), { recursive: true, force: true })
  const cache = join(place, 'cache')
  const compiled = join(cache, 'loci/compiled')
  expect(run({ XDG_CACHE_HOME: cache })).toContain(compiled)
  expect((statSync(compiled).mode & 0o777).toString(8)).toBe('700')
  chmodSync(compiled, 0o777)
  expect(run({ XDG_CACHE_HOME: cache })).toBe('undefined\n')
  write('no-directory', '')
  expect(run({ XDG_CACHE_HOME: join(place, 'no-directory') })).toBe('undefined\n')
})

test('an older Node and the one that it hands over to live and die together', {
  timeout: 60_000,
}, async () => {
  cpSync(import.meta.dirname, join(place, 'server/bin'), { recursive: true })
  requireNode('process.connected ? 24 : 999')
  write('package.json', '{"type":"module"}')
  write('node_modules/node/bin/node', `#!/bin/sh\nexec "${process.execPath}" "$@"`)
  chmodSync(join(place, 'node_modules/node/bin/node'), 0o755)
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
  const env = { ...process.env, ...variables }
  return execFileSync(process.execPath, [join(place, 'server/bin/loci.js')], { encoding: 'utf8', env })
}

/** Where the program in that place looks for its bundle, seen from there. */
async function bundlePath(): Promise<string> {
  const { bundleOfSources }: { bundleOfSources: () => string } = await import(
    pathToFileURL(join(place, 'server/bin/bundle.js')).href
  )
  return bundleOfSources().slice(place.length)
}
