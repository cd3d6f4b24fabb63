import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkInstalled } from './check-installed.ts'
import { installInto } from './install.ts'
import { type Packed, writePackages } from './write-packages.ts'

const unpackedBytesMax = 15_000_000

let place: string
let packed: { program: Packed; client: Packed }
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'loci-published-'))
  packed = await writePackages(join(place, 'packages'))
})
afterAll(() => rm(place, { recursive: true, force: true }))

test('the packages run from an empty folder, without install scripts, as their READMEs say', async () => {
  const folder = join(place, 'empty')
  await installInto(folder, [packed.program.file, packed.client.file])
  await checkInstalled({ folder, node: process.execPath })
  const programFolder = join(folder, 'node_modules/@loci/loci')
  const { dependencies } = JSON.parse(await readFile(join(programFolder, 'package.json'), 'utf8'))
  expect(dependencies).toBeUndefined()
  expect(existsSync(join(folder, 'node_modules/.bin/loci'))).toBe(true)
  const main = await readFile(join(programFolder, 'server/dist/main.js'), 'utf8')
  expect(main).not.toContain(process.cwd())
})

test('the program stays small', () => {
  expect(packed.program.unpackedBytes).toBeLessThan(unpackedBytesMax)
  expect(packed.program.file).toMatch(/loci-loci-\d+\.\d+\.\d+\.tgz$/)
  expect(packed.client.file).toMatch(/loci-client-\d+\.\d+\.\d+\.tgz$/)
})
