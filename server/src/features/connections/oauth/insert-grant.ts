import type { MemoryRight } from '@loci/contract/rights'
import type { WritePolicy } from '@loci/contract/write-policy'
import type { Grant, OidcContext } from 'oidc-provider/lib/provider.js'
import { toId } from '../../../ground/lib/ids.ts'
import { secondMs } from '../../../ground/lib/time.ts'
import { transact } from '../../../store/transact.ts'
import { lockAccount } from '../../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../../tenancy/context.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { insertConnection } from '../connections.repo.ts'
import { lifetimes } from './lifetimes.ts'
import { readSubject, toSubject } from './subjects.ts'

/** What a person allowed, as stored with the request. */
export type Consent = {
  subject: string
  spaceId: number
  scopes: MemoryRight[]
  writes: WritePolicy
  resource: string
  client: { name: string; host: string }
  /** The person's address when they allowed it. */
  address?: string
  sessionId?: string
}

/** Creates the connection that a person allowed, when the client comes back for its code. */
export async function insertGrant(ctx: Context, { oidc }: OidcContext): Promise<Grant | undefined> {
  const consent = oidc.result?.consent as Consent | undefined
  if (consent === undefined) return undefined
  const { accountId, id: userId } = readSubject(consent.subject)
  const id = ctx.newId('con')
  const createdAt = ctx.now()
  await transact(ctx, accountId, async (inner) => {
    const { db } = inner
    await lockAccount(db, accountId)
    await insertConnection(db, {
      accountId,
      id,
      userId,
      spaceId: consent.spaceId,
      clientId: oidc.client.clientId,
      clientName: consent.client.name,
      clientHost: consent.client.host,
      scopes: consent.scopes,
      writes: consent.writes,
      isReadOnly: false,
      resource: consent.resource,
      createdAt,
      lastUsedAt: null,
      expiresAt: createdAt + lifetimes.AuthorizationCode * secondMs,
    })
    const { client, scopes, spaceId, address, sessionId } = consent
    const place = { ...(address && { address }), ...(sessionId && { sessionId }) }
    await recordAudit(
      inner,
      { accountId, kind: 'session', userId, ...place },
      {
        action: 'connection_granted',
        subject: { kind: 'connection', id, name: client.name },
        details: { host: client.host, scopes: scopes.join(' '), space: toId('spc', spaceId) },
      },
    )
  })
  return oidc.provider.Grant.find(toSubject({ accountId, id }))
}
