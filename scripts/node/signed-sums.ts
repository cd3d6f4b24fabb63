import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Where releases of Node lie, and who may sign them. */
export type NodeSource = {
  /** Holds a folder a version. */
  dist: string
  /** Holds a file a key, named by its fingerprint. */
  keys: string
  /** Fingerprints of the keys that are trusted, wherever the keys themselves come from. */
  releasers: readonly string[]
}

/** The keys of those who release Node, by the README of nodejs/node. */
export const nodejsOrg: NodeSource = {
  dist: 'https://nodejs.org/dist',
  keys: 'https://raw.githubusercontent.com/nodejs/release-keys/HEAD/keys',
  releasers: [
    '5BE8A3F6C8A5C01D106C0AD820B1A390B168D356',
    'C0D6248439F1D5604AAFFB4021D900FFDB233756',
    'DD792F5973C6DE52C432CBDAC77ABFA00DDBF2B7',
    'CC68F5A3106FF448322E48ED27F5E38D5B0A215F',
    '8FCCA13FEF1D0C2E91008E09770F7A9A5AE15600',
    '890C08DB8579162FEE0DF9DB8BEAB4DFCF555EF4',
    'C82FA3AE1CBEDC6BE46B9360C43CEC45C17AB93C',
    '108F52B48DB57BB0CC439B2997B01419BD92F80A',
    'A363A499291CBBC940DD62E41F10027AF002F8B0',
  ],
}

export async function download(address: string): Promise<Buffer> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address}: status ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

/** The SHA-256 of each file of a release. Throws unless a releaser signed them. Needs `gpg`. */
export async function fetchSignedSums(source: NodeSource, version: string): Promise<Map<string, string>> {
  const home = await mkdtemp(join(tmpdir(), 'loci-node-keys-'))
  try {
    const sums = await download(`${source.dist}/v${version}/SHASUMS256.txt`)
    await writeFile(join(home, 'sums'), sums)
    await writeFile(join(home, 'sums.sig'), await download(`${source.dist}/v${version}/SHASUMS256.txt.sig`))
    for (const releaser of source.releasers) {
      await writeFile(join(home, 'key.asc'), await download(`${source.keys}/${releaser}.asc`))
      await gpg(home, '--import', join(home, 'key.asc'))
    }
    const status = await gpg(home, '--status-fd', '1', '--verify', join(home, 'sums.sig'), join(home, 'sums'))
    requireReleaser(status, source.releasers)
    return readSums(sums.toString())
  } finally {
    await rm(home, { recursive: true })
  }
}

const gpg = async (home: string, ...args: string[]) =>
  (await run('gpg', ['--homedir', home, '--batch', '--quiet', '--no-auto-key-retrieve', ...args])).stdout

/** The last field of the line is the fingerprint of the primary key. */
function requireReleaser(status: string, releasers: readonly string[]): void {
  const [, signer = 'nobody'] = /^\[GNUPG:\] VALIDSIG .* ([0-9A-F]{40})$/m.exec(status) ?? []
  if (!releasers.includes(signer)) throw new Error(`The sums are signed by ${signer}, who is no releaser`)
}

const readSums = (text: string) =>
  new Map([...text.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, sum, file]) => [file!, sum!]))
