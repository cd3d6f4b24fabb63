import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { decryptWithPassphrase, encryptWithPassphrase } from './age.ts'

/** "Loci remembers." encrypted with "correct horse" by age's own library (age-encryption 0.3.1). */
const vector =
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCA3QWFtR1lQM3JOdDNTeE9KMGxveWxnIDEwCms5OHp4M2RwcjZHNjdUV3V4VDduVWtQeUFrQVA4am1zVFNLMk1LeG9nemsKLS0tIEZZcEN6Nk1RZ1lSR2dOZHg0SkNxODRUY1ZHbFRwc3IyUEtYVWhBbElwbFkKphOH/s0WUTxiv8GMF1njjyMbDqZPRc7M440WofPeZjjKdgeoOy/VlBJUUyIAZ0I='
const chunkBytes = 64 * 1024

const streamOf = (bytes: Buffer) => Readable.from(bytes.length === 0 ? [] : [bytes]) as AsyncIterable<Buffer>

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of source) pieces.push(piece)
  return Buffer.concat(pieces)
}

const encrypt = (plain: Buffer) => collect(encryptWithPassphrase(streamOf(plain), 'open sesame', 10))
const decrypt = (sealed: Buffer, passphrase = 'open sesame') =>
  collect(decryptWithPassphrase(streamOf(sealed), passphrase))

test('what age has encrypted is read', async () => {
  expect(String(await decrypt(Buffer.from(vector, 'base64'), 'correct horse'))).toBe('Loci remembers.')
})

test.each([0, 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes])(
  '%i bytes come out as they went in',
  async (length) => {
    const plain = Buffer.alloc(length, 7)
    expect((await decrypt(await encrypt(plain))).equals(plain)).toBe(true)
  },
)

test('nothing can be cut off, changed or added', async () => {
  const sealed = await encrypt(Buffer.alloc(2 * chunkBytes, 7))
  const withoutLastChunk = sealed.subarray(0, -(chunkBytes + 16))
  for (const cut of [withoutLastChunk, sealed.subarray(0, -1), Buffer.concat([sealed, Buffer.from('x')])])
    await expect(decrypt(cut)).rejects.toThrow(/damaged/)
  for (const place of [60, sealed.length - 5]) {
    const changed = Buffer.from(sealed)
    changed[place]! ^= 1
    await expect(decrypt(changed)).rejects.toThrow(/damaged|wrong/)
  }
  await expect(decrypt(sealed, 'Open sesame')).rejects.toThrow('The passphrase is wrong')
})
