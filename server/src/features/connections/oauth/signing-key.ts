import { createPrivateKey } from 'node:crypto'
import type { Signer } from '../../../ground/lib/secrets.ts'

/** The bytes before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410, 7). */
const pkcs8Start = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The signing key that the authorization server requires, the same in every process. Nothing that it signs leaves the
 * server: tokens are random strings.
 */
export function signingKeyOf(signer: Signer): object {
  const seed = Buffer.from(signer.sign('oauth-signing-key', ''), 'base64url')
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Start, seed]), format: 'der', type: 'pkcs8' })
  return { ...key.export({ format: 'jwk' }), use: 'sig', alg: 'EdDSA' }
}
