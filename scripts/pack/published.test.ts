import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkInstalled } from './check-installed.ts'
import { installInto } from './install.ts'
import { type Packed, writePackage } from './write-packages.ts'

const unpackedBytesMax = 15_000_000

let place: string
let program: Packed
let client: Packed
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'loci-published-'))
  const packages = join(place, 'packages')
  ;[program, client] = await Promise.all([
    writePackage('program', packages),
    writePackage('client', packages),
  ])
})
afterAll(() => rm(place, { recursive: true, force: true }))

test('the packages run from an empty folder without install scripts, as their READMEs say', async () => {
  const folder = join(place, 'empty')
  await installInto(folder, [program.file, client.file])
  await checkInstalled({ folder, node: process.execPath })
  const programFolder = join(folder, 'node_modules/@loci/loci')
  const { dependencies } = JSON.parse(await readFile(join(programFolder, 'package.json'), 'utf8'))
  expect(dependencies).toBeUndefined()
  expect(existsSync(join(folder, 'node_modules/.bin/loci'))).toBe(true)
  const main = await readFile(join(programFolder, 'server/dist/main.js'), 'utf8')
  expect(main).not.toContain(process.cwd())
})

test('the program stays small', () => {
  expect(program.unpackedBytes).toBeLessThan(unpackedBytesMax)
  expect(program.file).toMatch(/loci-loci-\d+\.\d+\.\d+\.tgz$/)
  expect(client.file).toMatch(/loci-client-\d+\.\d+\.\d+\.tgz$/)
})
