import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { tryLockDirectory } from '../../ground/directory-lock.ts'
import { encryptWithPassphrase } from '../../ground/lib/age.ts'
import { writeTar } from '../../ground/lib/tar.ts'
import { removeOnSignal, writeWhole } from '../../ground/lib/write-whole.ts'
import { version } from '../../ground/version.ts'
import { copyDatabase, readSealedCheck, removeDatabase } from '../../store/copy-sqlite.ts'
import { isReadOnly } from '../../store/sqlite-file.ts'
import { backupMark } from '../../store/storage-sqlite.ts'
import { isSecretOf } from '../../tenancy/open-secret.ts'
import { backupVersion, databaseName, type Manifest, manifestName, secretName } from './manifest.ts'

const backupLock = 'backup.lock'
/** The copy is made beside the database if it can be: unencrypted data stays there, wherever the backup is written. */
const copyName = 'backup.loci.part'

export type Backup = { dataDir: string; secret: string; passphrase: string | undefined }

/**
 * Writes the database and its secret to one file, encrypted if a passphrase is given. Others can write to the
 * database meanwhile. Throws readable errors and then leaves no part of the file.
 */
export async function writeBackup(path: string, { dataDir, secret, passphrase }: Backup): Promise<void> {
  const canWrite = !isReadOnly(join(dataDir, databaseName))
  const lock = canWrite ? tryLockDirectory(dataDir, backupLock) : undefined
  if (canWrite && lock === undefined) throw new Error('another backup of this data directory is being made')
  const copy = join(canWrite ? dataDir : dirname(path), copyName)
  const keepSignals = removeOnSignal(copy, `${copy}-journal`)
  try {
    await copyDatabase(join(dataDir, databaseName), copy)
    const sealed = readSealedCheck(copy)
    if (sealed === undefined || !isSecretOf(secret, sealed))
      throw new Error('the present secret is not the one that this database has been used with')
    const archive = archiveOf(copy, secret, await describe(copy, secret))
    const content = passphrase === undefined ? archive : encryptWithPassphrase(archive, passphrase)
    await writeWhole(path, (part) => pipeline(content, createWriteStream(part, { flags: 'r+' })))
    if (canWrite) await writeFile(join(dataDir, backupMark), '', { mode: 0o600 })
  } finally {
    keepSignals()
    await removeDatabase(copy)
    lock?.release()
  }
}

/** Removes the copy of a backup that was killed, unless a backup is running. */
export async function removeInterruptedBackup(dataDir: string): Promise<void> {
  const lock = tryLockDirectory(dataDir, backupLock)
  if (lock === undefined) return
  await removeDatabase(join(dataDir, copyName))
  lock.release()
}

async function describe(copy: string, secret: string): Promise<Manifest> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(copy)) hash.update(piece)
  return {
    format: 'loci-backup',
    version: backupVersion,
    madeBy: version,
    createdAt: new Date().toISOString(),
    secret: { bytes: Buffer.byteLength(secret), sha256: createHash('sha256').update(secret).digest('hex') },
    database: { bytes: (await stat(copy)).size, sha256: hash.digest('hex') },
  }
}

function archiveOf(copy: string, secret: string, manifest: Manifest) {
  const text = (name: string, value: string) => {
    const content = Buffer.from(value)
    return { name, bytes: content.length, content: [content] }
  }
  return writeTar(
    [
      text(manifestName, `${JSON.stringify(manifest, null, 2)}\n`),
      text(secretName, secret),
      { name: databaseName, bytes: manifest.database.bytes, content: createReadStream(copy) },
    ],
    Math.floor(Date.parse(manifest.createdAt) / 1_000),
  )
}
