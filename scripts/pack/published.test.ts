import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram } from './bundle-program.ts'
import { checkInstalled } from './check-installed.ts'
import { installInto } from './install.ts'
import type { Packed } from './packed.ts'
import { root } from './sources.ts'
import { writePackage } from './write-packages.ts'
import { writePlugin } from './write-plugin.ts'

const unpackedBytesMax = 17_200_000

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
  const copied = /^cp \/usr\/local\/lib\/node_modules\/(\S+)/m.exec(
    await readFile(join(root, 'docs/install.md'), 'utf8'),
  )
  expect(existsSync(join(folder, 'node_modules', copied![1]!))).toBe(true)
  const main = await readFile(join(programFolder, 'server/dist/main.js'), 'utf8')
  expect(main).not.toContain(process.cwd())
})

test('the plugin for Claude Code carries the program, and starts it without a network or npx', async () => {
  const installed = join(place, 'empty/node_modules/@loci/loci')
  const { file } = await writePlugin(installed, place)
  const plugin = join(place, 'copy')
  // Claude Code copies the folder of the plugin alone.
  await cp(join(file, 'plugins/claude-code'), plugin, { recursive: true })
  const child = spawn(process.execPath, [join(plugin, 'start.mjs')], {
    env: { PATH: place, HOME: place, LOCI_DATA_DIR: join(place, 'memory') },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  expect(JSON.parse(await text(child.stdout))).toMatchObject({
    id: 1,
    result: { serverInfo: { name: 'loci' } },
  })
})

test('the program stays small', () => {
  expect(program.unpackedBytes).toBeLessThan(unpackedBytesMax)
  expect(program.file).toMatch(/loci-loci-\d+\.\d+\.\d+\.tgz$/)
  expect(client.file).toMatch(/loci-client-\d+\.\d+\.\d+\.tgz$/)
})

test('the program lists all packages in it, with licence and checksum, and nothing else', async () => {
  const folder = join(place, 'empty/node_modules/@loci/loci')
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const bom: Bom = JSON.parse(await read('sbom.cdx.json'))
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  expect(bom.metadata.component.purl).toMatch(/^pkg:npm\/%40loci\/loci@\d+\.\d+\.\d+$/)
  const { packages: locked } = JSON.parse(await readFile('package-lock.json', 'utf8'))
  for (const { 'bom-ref': ref, purl, licenses, hashes } of bom.components) {
    const [{ alg, content }] = hashes
    const integrity = `sha${alg.slice('SHA-'.length)}-${Buffer.from(content, 'hex').toString('base64')}`
    expect([ref, integrity]).toEqual([ref, locked[ref].integrity])
    expect([ref, purl.endsWith(`@${locked[ref].version}`)]).toEqual([ref, true])
    const [{ license, expression }] = licenses
    expect([ref, license?.id ?? expression ?? license?.name]).toEqual([
      ref,
      locked[ref].license ?? 'in THIRD-PARTY-NOTICES.txt',
    ])
  }
  const names = bom.components.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['fastify', 'zod', 'pg', 'oidc-provider', 'react', '@mantine/core']),
  )
  for (const absent of ['vitest', 'typescript', '@loci/contract']) expect(names).not.toContain(absent)
  const notices = await read('THIRD-PARTY-NOTICES.txt')
  for (const { name, version } of bom.components) expect(notices).toContain(`${name} ${version}\n`)
  const refs = new Set(['program', ...bom.components.map((one) => one['bom-ref'])])
  expect(new Set(bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]))).toEqual(refs)
})

test('whatever the bundler takes along is on the list, optional packages too', async () => {
  const bom: Bom = JSON.parse(
    await readFile(join(place, 'empty/node_modules/@loci/loci/sbom.cdx.json'), 'utf8'),
  )
  const listed = bom.components.map((one) => one['bom-ref'])
  const bundled = await bundleProgram(join(place, 'bundle'))
  expect(bundled.length).toBeGreaterThan(50)
  expect(listed).toEqual(expect.arrayContaining(bundled))
})

type Bom = {
  metadata: { component: { purl: string } }
  components: {
    'bom-ref': string
    name: string
    version: string
    purl: string
    licenses: [{ license?: { id?: string; name?: string }; expression?: string }]
    hashes: [{ alg: string; content: string }]
  }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
