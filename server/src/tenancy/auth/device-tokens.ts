import { isSameSecret, randomToken, type Signer } from '../../ground/lib/secrets.ts'

const purpose = 'device-token'

export type Device = { name: string; token: string }

/**
 * Issues a token by which a device is recognised at the next sign-in with the same email. It grants no access. It is
 * sent in the body, because a cookie would go with every request, and we have no cookies that could be forged.
 */
export function newDevice(signer: Signer, email: string): Device {
  const name = randomToken()
  return { name, token: `${name}.${signer.sign(purpose, `${name} ${email}`)}` }
}

/** The device that was given one of these tokens for this email. */
export function findDevice(signer: Signer, email: string, tokens: readonly string[]): Device | undefined {
  for (const token of tokens) {
    const [name = '', signature = ''] = token.split('.')
    if (isSameSecret(signature, signer.sign(purpose, `${name} ${email}`))) return { name, token }
  }
  return undefined
}
