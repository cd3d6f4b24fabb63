import type { Config } from '../../ground/config/config.ts'
import { afterCommit } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import { type MailContent, toMailBody } from './mail-content.ts'
import { hasMail, insertMail, type MailKey } from './mails.repo.ts'

export type Mail = MailKey & {
  /** An e-mail address. */
  to: string
  content: MailContent
  /** Not sent after this time, milliseconds. */
  expiresAt?: number
}

const listeners = new WeakMap<Config, Set<() => void>>()

/** Calls `listener` when this process has committed a mail. Returns a function that unsubscribes. */
export function onMailQueued(config: Config, listener: () => void): () => void {
  const all = listeners.get(config) ?? new Set()
  listeners.set(config, all.add(listener))
  return () => void all.delete(listener)
}

/**
 * Puts a mail in the outbox, in the current transaction: it is sent if that commits, and only once for each id. If
 * mail is not set up, nothing is stored. The content is sealed, since it can contain a secret.
 */
export async function queueMail(
  ctx: Context,
  { accountId, id, to, content, expiresAt }: Mail,
): Promise<void> {
  if (ctx.config.mail === undefined) return
  const sealed = ctx.secretBox.seal(JSON.stringify(toMailBody(content)))
  const mail = { accountId, id, recipient: to, content: sealed, now: ctx.now(), expiresAt: expiresAt ?? null }
  if (!(await insertMail(ctx.db, mail))) return
  const tell = () => listeners.get(ctx.config)?.forEach((listener) => void listener())
  if (ctx.db.isTransaction) afterCommit(ctx.db, tell)
  else tell()
}

/** Whether a mail was queued, sent or not. */
export const wasQueued = ({ db }: Pick<Context, 'db'>, key: MailKey) => hasMail(db, key)
