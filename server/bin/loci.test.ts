import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
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
