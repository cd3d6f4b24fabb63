import {
  type AuditAction,
  type AuditDetails,
  type AuditSubject,
  categoryOfAction,
} from '@loci/contract/audit'
import type { Config } from '../../ground/config/config.ts'
import { momentOfId } from '../../ground/lib/ids.ts'
import { widerNetworkOf } from '../../ground/lib/networks.ts'
import { findCallerName } from '../../memory/log/actors.repo.ts'
import { transact } from '../../store/transact.ts'
import type { Caller } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { findPersonName, insertAuditEvent } from './audit.repo.ts'

/**
 * Who did it: a caller (`userId` is empty on a command line that nobody signed in to), the server itself, or a visitor
 * who has not proven to be the user they name.
 */
export type AuditAuthor =
  | (Pick<
      Caller,
      'accountId' | 'kind' | 'userId' | 'keyId' | 'connectionId' | 'sessionId' | 'client' | 'address'
    > & {
      /** Looked up unless given. */
      userName?: string
    })
  | { accountId: number; kind: 'system' }
  | { accountId: number; kind: 'visitor'; userId: string; address?: string }

export type NewAuditEvent = {
  action: AuditAction
  subject?: { kind: AuditSubject['kind']; id?: string | null; name?: string }
  details?: AuditDetails
}

/**
 * Writes an event into the account's audit log in the current transaction, so the event is stored if and only if the
 * change is committed. Never include secrets or memory contents.
 */
export async function recordAudit(ctx: Context, author: AuditAuthor, event: NewAuditEvent): Promise<void> {
  const { action, subject, details = {} } = event
  await transact(ctx, author.accountId, async ({ db, newId, config }) => {
    const id = newId('aud')
    await insertAuditEvent(db, {
      account_id: author.accountId,
      id,
      // Billing has its own clock, which can be ahead.
      at: momentOfId(id),
      action,
      category: categoryOfAction(action),
      ...(await describeAuthor(db, author)),
      address: 'address' in author ? keptAddress(config, author.address) : null,
      subject_kind: subject?.kind ?? null,
      subject_id: subject?.id ?? null,
      subject_name: subject?.name ?? '',
      details: JSON.stringify(details),
    })
  })
}

/** The operator on the server's command line. */
export const operatorOf = (accountId: number): AuditAuthor => ({ accountId, kind: 'local', userId: '' })

async function describeAuthor(db: Context['db'], author: AuditAuthor) {
  if (author.kind === 'system') return noAuthor
  const { kind, userId } = author
  const known = 'userName' in author ? author.userName : undefined
  const name = known ?? (userId === '' ? '' : await findPersonName(db, userId))
  const person = { actor_kind: kind, user_id: userId === '' ? null : userId, user_name: name }
  if (kind === 'visitor') return { ...noAuthor, ...person }
  const { accountId, keyId, connectionId, sessionId, client = null } = author
  const isNamed = keyId !== undefined || connectionId !== undefined
  return {
    ...person,
    credential_id: keyId ?? connectionId ?? sessionId ?? null,
    credential_name: isNamed ? await findCallerName(db, accountId, author) : '',
    client,
  }
}

const noAuthor = {
  actor_kind: 'system' as const,
  user_id: null,
  user_name: '',
  credential_id: null,
  credential_name: '',
  client: null,
}

function keptAddress(
  { auditAddresses }: Pick<Config, 'auditAddresses'>,
  address: string | undefined,
): string | null {
  if (auditAddresses === 'off' || !address) return null
  return auditAddresses === 'full' ? address : widerNetworkOf(address) || null
}
