import { totpDigits, totpPeriodSeconds } from '@loci/contract/second-factors'
import { secondMs } from '../../../ground/lib/time.ts'

/** Tolerance in steps, for clock drift and typing. */
const stepsOff = 1
/** Length of the HMAC output, as RFC 4226 recommends. */
const secretBytes = 20

async function totpOf(secret: string | undefined, email = '') {
  const { Secret, TOTP } = await import('otpauth')
  return new TOTP({
    issuer: 'Loci',
    label: email,
    algorithm: 'SHA1',
    digits: totpDigits,
    period: totpPeriodSeconds,
    secret: secret === undefined ? new Secret({ size: secretBytes }) : Secret.fromBase32(secret),
  })
}

/** A new secret in base 32, and the URI that authenticator apps read from a QR code. */
export async function newTotp(email: string): Promise<{ secret: string; uri: string }> {
  const totp = await totpOf(undefined, email)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The time step that a code belongs to (RFC 6238); undefined for a wrong one. */
export async function findTotpStep(secret: string, code: string, now: number): Promise<number | undefined> {
  const totp = await totpOf(secret)
  const delta = totp.validate({ token: code, timestamp: now, window: stepsOff })
  if (delta === null) return undefined
  return Math.floor(now / (totpPeriodSeconds * secondMs)) + delta
}

/** Removes spaces and hyphens, which only help readability. */
export const plainCode = (code: string) => code.replace(/[\s-]/g, '')

export const isTotpCode = (plain: string) => plain.length === totpDigits && /^\d+$/.test(plain)
