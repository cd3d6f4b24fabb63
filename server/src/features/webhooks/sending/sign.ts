import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'
const secretBytes = 32

/** A new signing secret: `whsec_` and base64 (Standard Webhooks). */
export function newSigningSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64')
}

export type Message = {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/**
 * The header `webhook-signature`: one signature for each secret, separated by spaces.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signaturesOf(secrets: readonly string[], { id, timestamp, body }: Message): string {
  const signed = `${id}.${timestamp}.${body}`
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
      .update(signed)
      .digest('base64')
  return secrets.map((secret) => `v1,${sign(secret)}`).join(' ')
}
