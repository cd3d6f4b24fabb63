import { createHmac } from 'node:crypto'
import type { RestClient } from '@loci/client/rest'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * The code that an authenticator app shows at a moment for a base 32 secret (RFC 6238, RFC 4226), independent
 * of our own code.
 */
export function totpAt(secret: string, at: number): string {
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = mac[19]! & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Sets up an authenticator app for a person; returns its secret and the recovery codes. */
export async function setUpTotp(rest: RestClient, password: string, at: number) {
  const { secret, setup } = await rest.beginTotp({ body: { password } })
  const { recoveryCodes } = await rest.confirmTotp({ body: { setup, code: totpAt(secret, at) } })
  return { secret, recoveryCodes: recoveryCodes! }
}
