import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyRandomLength = 40
const checksumLength = 6
export const keyPrefix = 'loci_'
export const accessTokenPrefix = 'locia_'
export const refreshTokenPrefix = 'locir_'

/** SHA-256 in lower-case hex; enough for tokens and keys, which are random and long. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

/** Compares in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}

function randomBase62(length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += alphabet[randomInt(alphabet.length)]
  return text
}

/** First 6 base62 digits of the SHA-256: detects a mistyped key without a look-up. */
function checksumOf(body: string): string {
  let value = hash('sha256', body, 'buffer').readUIntBE(0, 6)
  let text = ''
  for (let i = 0; i < checksumLength; i++) {
    text += alphabet[value % alphabet.length]
    value = Math.floor(value / alphabet.length)
  }
  return text
}

/** Creates an API key: `loci_`, 40 random base62 characters and a checksum of 6. */
export function newApiKey(): string {
  const body = randomBase62(keyRandomLength)
  return `${keyPrefix}${body}${checksumOf(body)}`
}

/** Whether a text has the form and the checksum of an API key. */
export function isApiKey(text: string): boolean {
  if (!/^loci_[0-9A-Za-z]{46}$/.test(text)) return false
  const body = text.slice(keyPrefix.length, -checksumLength)
  return checksumOf(body) === text.slice(-checksumLength)
}

/** 256 random bits in URL-safe form. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Creates a session token: 256 random bits. */
export function newSessionToken(): string {
  return `locis_${randomToken()}`
}

/** Encrypts and decrypts short secrets under a key derived from the master secret (AES-256-GCM, HKDF-SHA-256). */
export type SecretBox = {
  seal: (plain: string) => string
  /** Undefined if the value was sealed under another master secret, or is damaged. */
  open: (sealed: string) => string | undefined
  /** Reseals under the current master secret a value that only the former one opens; undefined for anything else. */
  reseal: (sealed: string) => string | undefined
}

/**
 * A box for one `purpose`; boxes of different purposes cannot open each other's secrets. Values sealed under
 * `formerSecret` can still be opened.
 */
export function createSecretBox(masterSecret: string, purpose: string, formerSecret?: string): SecretBox {
  const key = deriveKey(masterSecret, purpose)
  const formerKey = formerSecret === undefined ? undefined : deriveKey(formerSecret, purpose)
  const openFormer = (sealed: string) => (formerKey === undefined ? undefined : open(formerKey, sealed))
  return {
    seal: (plain) => seal(key, plain),
    open: (sealed) => open(key, sealed) ?? openFormer(sealed),
    reseal(sealed) {
      const plain = open(key, sealed) === undefined ? openFormer(sealed) : undefined
      return plain === undefined ? undefined : seal(key, plain)
    },
  }
}

const deriveKey = (masterSecret: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', masterSecret, '', purpose, 32))

function seal(key: Buffer, plain: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
}

function open(key: Buffer, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length < 28) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Signs texts under keys derived from the master secret, one per purpose (HMAC-SHA-256, HKDF-SHA-256). */
export type Signer = { sign: (purpose: string, text: string) => string }

export function createSigner(masterSecret: string): Signer {
  return {
    sign(purpose, text) {
      return createHmac('sha256', deriveKey(masterSecret, purpose)).update(text).digest('base64url')
    },
  }
}
