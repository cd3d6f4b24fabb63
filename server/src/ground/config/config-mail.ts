import { z } from 'zod'
import { isLoopback } from '../lib/networks.ts'

/** Name and address of a sender. */
export type Sender = { name: string; address: string }

export type MailConfig = {
  host: string
  port: number
  /** TLS from the first byte; otherwise the connection is upgraded if the server offers it. */
  secure: boolean
  /** Refuses servers without TLS, where a password would cross the network in the clear. */
  requireTls: boolean
  auth: { user: string; pass: string } | undefined
  from: Sender
}

const smtpUrl = z
  .string()
  .refine(isSmtpUrl, {
    error: 'must be smtp://user:password@host:port or smtps://..., with nothing after the port',
  })
  .refine(hasReadableCredentials, { error: 'must have each % in the user and the password written as %25' })

/** The variables that configure mail. */
export const mailVariables = {
  SMTP_URL: smtpUrl
    .optional()
    .describe(
      'mail server: `smtp://user:password@host:587` (STARTTLS) or `smtps://user:password@host:465`; unset: no mail',
    ),
  LOCI_MAIL_FROM: z
    .string()
    .refine(
      (text) => toSender(text) !== undefined,
      'must be an address, or a name with one: Loci <loci@example.com>',
    )
    .optional()
    .describe('sender, such as `Loci <loci@example.com>`'),
} as const

type MailEnvironment = { [Name in keyof typeof mailVariables]?: string | undefined }

/** The mail configuration, undefined if mail is off, or a sentence that says what is wrong. */
export function readMail({ SMTP_URL, LOCI_MAIL_FROM }: MailEnvironment): MailConfig | undefined | string {
  if (SMTP_URL === undefined && LOCI_MAIL_FROM === undefined) return undefined
  if (SMTP_URL === undefined) return 'LOCI_MAIL_FROM needs SMTP_URL beside it'
  const from = toSender(LOCI_MAIL_FROM ?? '')
  if (from === undefined) return 'SMTP_URL needs LOCI_MAIL_FROM beside it'
  const { protocol, hostname, port, username, password } = new URL(SMTP_URL)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const auth =
    username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  return {
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTls: !secure && auth !== undefined && !isLoopback(host),
    auth,
    from,
  }
}

function isSmtpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, pathname, search, hash } = new URL(value)
  return /^smtps?:$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname) && `${search}${hash}` === ''
}

/** A lone percent sign cannot be decoded. */
function hasReadableCredentials(value: string): boolean {
  if (!URL.canParse(value)) return true
  const { username, password } = new URL(value)
  try {
    decodeURIComponent(`${username}${password}`)
    return true
  } catch {
    return false
  }
}

/** `Loci <loci@example.com>` or `loci@example.com`. */
function toSender(text: string): Sender | undefined {
  const [, name = '', address = ''] = /^(?:([^<>"\p{Cc}]*)<([^<>\s]+)>|.*)$/u.exec(text) ?? []
  const sender = { name: name.trim(), address: address === '' ? text.trim() : address }
  return z.email().safeParse(sender.address).success ? sender : undefined
}
