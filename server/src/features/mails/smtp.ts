import type { MailConfig } from '../../ground/config/config-mail.ts'
import { secondMs } from '../../ground/lib/time.ts'
import type { MailBody } from './mail-content.ts'

export type OutgoingMail = MailBody & {
  to: string
  /** Without angle brackets. The same for each attempt, so that mail systems can recognise duplicates. */
  messageId: string
  date: Date
}

/** Passes a mail to the mail server. Rejects with {@link SendFailure}. */
export type SendMail = (mail: OutgoingMail) => Promise<void>

/** Why a mail was not accepted, without its recipient or content. */
export class SendFailure extends Error {
  /** `mail`: this mail is refused for good. `later`: it can be retried. `server`: no mail can be sent now. */
  readonly kind: 'mail' | 'later' | 'server'
  constructor(kind: 'mail' | 'later' | 'server', message: string) {
    super(message)
    this.kind = kind
  }
}

const connectTimeoutMs = 10 * secondMs
const answerTimeoutMs = 30 * secondMs

/** The library is loaded here, since most servers send no mail. */
async function createTransport({ from: _from, requireTls, ...server }: MailConfig) {
  const library = await import('nodemailer')
  return library.createTransport({
    ...server,
    requireTLS: requireTls,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: answerTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Connects and signs in, without sending anything. Rejects with the reason why that fails. */
export async function verifySmtp(config: MailConfig): Promise<void> {
  const transport = await createTransport(config)
  await transport.verify()
}

/** Opens a connection for each mail. */
export async function createSmtp(config: MailConfig): Promise<SendMail> {
  const transport = await createTransport(config)
  const { from } = config
  return async ({ to, messageId, unsubscribeUrl, ...mail }) => {
    try {
      await transport.sendMail({
        ...mail,
        from,
        to: { name: '', address: to },
        messageId: `<${messageId}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribeUrl !== undefined && {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      })
    } catch (error) {
      throw toFailure(error)
    }
  }
}

type SmtpError = { code?: string; responseCode?: number }

/** RFC 5321, 4.2.1: replies from 500 on are permanent, those from 400 on are not. */
function toFailure(error: unknown): SendFailure {
  const { code = 'unknown', responseCode } = error as SmtpError
  const ofMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  const words = responseCode === undefined ? code : `${code}, the server answered ${responseCode}`
  if (!ofMail) return new SendFailure('server', words)
  return new SendFailure((responseCode ?? 0) >= 500 ? 'mail' : 'later', words)
}
