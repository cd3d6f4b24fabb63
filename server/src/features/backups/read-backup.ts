import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { decryptWithPassphrase, isAge } from '../../ground/lib/age.ts'
import { readTar, type TarEntry } from '../../ground/lib/tar.ts'
import { syncDirectory } from '../../ground/lib/write-whole.ts'
import { readSealedCheck, removeDatabase, requireSound } from '../../store/copy-sqlite.ts'
import { restorePartName } from '../../store/restore-part.ts'
import { isSecretOf } from '../../tenancy/open-secret.ts'
import { backupVersion, databaseName, Manifest, manifestName, secretName } from './manifest.ts'

const manifestBytesMax = 64 * 1024
/** Files that an empty data directory can contain. */
const locks = /^(server|backup)\.lock/

/**
 * Restores the database and the secret of a backup into an empty data directory: both, after verification, or
 * nothing. Calls `askPassphrase` if the backup is encrypted. Throws readable errors.
 */
export async function readBackup(
  path: string,
  dataDir: string,
  askPassphrase: () => Promise<string>,
): Promise<Manifest> {
  const part = join(dataDir, restorePartName)
  await requireEmpty(dataDir, part)
  const source = (await isEncrypted(path))
    ? decryptWithPassphrase(createReadStream(path), await askPassphrase())
    : createReadStream(path)
  await rm(part, { recursive: true, force: true })
  await mkdir(part, { mode: 0o700 })
  try {
    const manifest = await extract(source, part)
    requireSound(join(part, databaseName))
    requireSecret(part, await readText(join(part, secretName)))
    return await moveIn(part, dataDir, manifest)
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw error
  }
}

/** Leftovers of an earlier restore that was killed do not count. */
async function requireEmpty(dataDir: string, part: string): Promise<void> {
  const names = await readdir(dataDir)
  if (names.includes(restorePartName)) {
    await rm(join(dataDir, secretName), { force: true })
    await removeDatabase(join(dataDir, databaseName))
    await rm(part, { recursive: true, force: true })
  } else if (names.some((name) => !locks.test(name)))
    throw new Error(`${dataDir} is not empty. Restore into an empty directory (LOCI_DATA_DIR).`)
}

async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
    return isAge(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

async function extract(source: AsyncIterable<Buffer>, part: string): Promise<Manifest> {
  const expected = [manifestName, secretName, databaseName]
  let manifest: Manifest | undefined
  await readTar(source, async (entry) => {
    if (entry.name !== expected.shift()) throw new Error('it is no backup of Loci')
    if (entry.name === manifestName) manifest = await readManifest(entry)
    else {
      const wanted = entry.name === secretName ? manifest!.secret : manifest!.database
      await extractFile(entry, join(part, entry.name), wanted)
    }
  })
  if (manifest === undefined || expected.length > 0) throw new Error('its end is missing')
  return manifest
}

async function readManifest({ bytes, content }: TarEntry): Promise<Manifest> {
  if (bytes > manifestBytesMax) throw new Error('it is no backup of Loci')
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  const manifest = Manifest.safeParse(JSON.parse(Buffer.concat(pieces).toString()))
  if (!manifest.success) throw new Error('it is no backup of Loci')
  if (manifest.data.version > backupVersion) throw new Error('it was made by a newer version of Loci')
  return manifest.data
}

async function extractFile(
  { name, bytes, content }: TarEntry,
  file: string,
  wanted: Manifest['database'],
): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(
    content,
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        hash.update(piece)
        yield piece
      }
    },
    createWriteStream(file, { mode: 0o600, flush: true }),
  )
  if (bytes !== wanted.bytes || hash.digest('hex') !== wanted.sha256)
    throw new Error(`it is damaged: ${name} is not what was backed up`)
}

async function readText(file: string): Promise<string> {
  const handle = await open(file, 'r')
  try {
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

function requireSecret(part: string, secret: string): void {
  const sealed = readSealedCheck(join(part, databaseName))
  if (sealed === undefined || !isSecretOf(secret, sealed))
    throw new Error('its secret is not that of its database')
}

/** No server starts while the part exists, so none sees one file without the other. */
async function moveIn(part: string, dataDir: string, manifest: Manifest): Promise<Manifest> {
  await rename(join(part, secretName), join(dataDir, secretName))
  await rename(join(part, databaseName), join(dataDir, databaseName))
  await syncDirectory(dataDir)
  await rm(part, { recursive: true })
  await syncDirectory(dataDir)
  return manifest
}
