import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { type ByteReader, createByteReader } from './byte-reader.ts'

/*
 * Passphrase encryption in the age format (https://c2sp.org/age), compatible with `age --encrypt` and `age
 * --decrypt`. The file key is wrapped with scrypt and ChaCha20-Poly1305. The content is in chunks of 64 KiB, each
 * with its number and a last-chunk flag, so truncation, reordering and changes are detected.
 */

const intro = 'age-encryption.org/v1'
const chunkBytes = 64 * 1024
const tagBytes = 16
const lineBytesMax = 256
/** Largest work factor accepted when decrypting. */
const workFactorMax = 20
const cipher = 'chacha20-poly1305'

export class WrongPassphrase extends Error {
  override name = 'WrongPassphrase'
}

/** Whether a file that starts with these bytes is encrypted. */
export const isAge = (start: Buffer) => start.toString('latin1').startsWith(`${intro}\n`)

/** A work factor of 17 takes 128 MiB and a third of a second; each step doubles both. */
export async function* encryptWithPassphrase(
  source: AsyncIterable<Buffer>,
  passphrase: string,
  workFactor = 17,
): AsyncGenerator<Buffer, void> {
  const fileKey = randomBytes(16)
  const salt = randomBytes(16)
  const wrapped = seal(await deriveKey(passphrase, salt, workFactor), nonceOf(0n, false), fileKey)
  const head = `${intro}\n-> scrypt ${toBase64(salt)} ${workFactor}\n${toBase64(wrapped)}\n---`
  yield Buffer.from(`${head} ${toBase64(macOf(fileKey, head))}\n`)
  const nonce = randomBytes(16)
  yield nonce
  const key = payloadKey(fileKey, nonce)
  const reader = createByteReader(source)
  let chunk = await reader.read(chunkBytes)
  for (let index = 0n; ; index++) {
    const next = await reader.read(chunkBytes)
    const isLast = next.length === 0
    yield seal(key, nonceOf(index, isLast), chunk)
    if (isLast) return
    chunk = next
  }
}

/** Throws {@link WrongPassphrase}, or a readable error for a damaged or truncated file. */
export async function* decryptWithPassphrase(
  source: AsyncIterable<Buffer>,
  passphrase: string,
): AsyncGenerator<Buffer, void> {
  const reader = createByteReader(source)
  const fileKey = await readFileKey(reader, passphrase)
  const key = payloadKey(fileKey, await reader.read(16))
  let chunk = await reader.read(chunkBytes + tagBytes)
  for (let index = 0n; ; index++) {
    const next = await reader.read(chunkBytes + tagBytes)
    const isLast = next.length === 0
    const plain = open(key, nonceOf(index, isLast), chunk)
    if (plain === undefined) throw new Error('it is damaged, or its end is missing')
    if (plain.length > 0) yield plain
    if (isLast) return
    chunk = next
  }
}

async function readFileKey(reader: ByteReader, passphrase: string): Promise<Buffer> {
  const lines: string[] = []
  for (let i = 0; i < 4; i++) lines.push((await reader.readLine(lineBytesMax)) ?? '')
  const [first, recipient = '', body = '', last = ''] = lines
  const [, salt = '', factor = ''] = /^-> scrypt ([\w+/]{22}) (\d{1,2})$/.exec(recipient) ?? []
  const wrapped = Buffer.from(body, 'base64')
  if (first !== intro || salt === '' || wrapped.length !== 32 || Number(factor) > workFactorMax)
    throw new Error('it is damaged, or not encrypted with a passphrase')
  const wrapKey = await deriveKey(passphrase, Buffer.from(salt, 'base64'), Number(factor))
  const fileKey = open(wrapKey, nonceOf(0n, false), wrapped)
  if (fileKey === undefined) throw new WrongPassphrase('The passphrase is wrong')
  const mac = macOf(fileKey, `${first}\n${recipient}\n${body}\n---`)
  const given = Buffer.from(last.slice('--- '.length), 'base64')
  if (given.length !== mac.length || !timingSafeEqual(mac, given)) throw new Error('it is damaged')
  return fileKey
}

const scryptAsync = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
  options: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer>

function deriveKey(passphrase: string, salt: Buffer, factor: number): Promise<Buffer> {
  const N = 2 ** factor
  const salted = Buffer.concat([Buffer.from(`${intro}/scrypt`), salt])
  return scryptAsync(passphrase, salted, 32, { N, r: 8, p: 1, maxmem: 129 * N * 8 })
}

const payloadKey = (fileKey: Buffer, nonce: Buffer) =>
  Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32))

function macOf(fileKey: Buffer, head: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', fileKey, '', 'header', 32))
  return createHmac('sha256', key).update(head).digest()
}

/** The chunk's number in 11 bytes, and 1 for the last chunk. */
function nonceOf(index: bigint, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(index, 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

function seal(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  return Buffer.concat([sealing.update(plain), sealing.final(), sealing.getAuthTag()])
}

function open(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | undefined {
  if (sealed.length < tagBytes) return undefined
  const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  opening.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([opening.update(sealed.subarray(0, -tagBytes)), opening.final()])
  } catch {
    return undefined
  }
}

const toBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
