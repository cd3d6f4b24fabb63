import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'loci-bin-')))
afterAll(() => rmSync(place, { recursive: true }))

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

test('an older Node and the one that it hands over to live and die together', {
  timeout: 60_000,
}, async () => {
  cpSync(import.meta.dirname, join(place, 'server/bin'), { recursive: true })
  const text = readFileSync(join(import.meta.dirname, 'loci.js'), 'utf8')
  write('server/bin/loci.js', text.replace('oldestMajor = 24', 'oldestMajor = process.connected ? 24 : 999'))
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

const run = () => execFileSync(process.execPath, [join(place, 'server/bin/loci.js')], { encoding: 'utf8' })

/** Where the program in that place looks for its bundle, seen from there. */
async function bundlePath(): Promise<string> {
  const { bundleOfSources }: { bundleOfSources: () => string } = await import(
    pathToFileURL(join(place, 'server/bin/bundle.js')).href
  )
  return bundleOfSources().slice(place.length)
}
