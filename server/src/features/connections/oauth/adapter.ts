import { isStorableText } from '@loci/contract/text'
import { InvalidGrant } from 'oidc-provider/lib/helpers/errors.js'
import type { Adapter, Payload } from 'oidc-provider/lib/provider.js'
import { sha256 } from '../../../ground/lib/secrets.ts'
import { dayMs, secondMs } from '../../../ground/lib/time.ts'
import type { OAuthTokenKind } from '../../../store/schema.ts'
import { transact } from '../../../store/transact.ts'
import { lockAccount } from '../../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../../tenancy/context.ts'
import * as connections from '../connections.repo.ts'
import { endConnection } from '../end-connection.ts'
import { findClient, keepClient } from './clients.repo.ts'
import { clientUsedKeptMs } from './lifetimes.ts'
import { isSafeRedirect } from './redirects.rules.ts'
import { deleteRequest, findRequest, saveRequest } from './requests.repo.ts'
import { readSubject, toSubject } from './subjects.ts'
import { consumeToken, findToken, insertToken, type StoredToken } from './tokens.repo.ts'

/** Reusing a refresh token within this time ends its connection, */
const replayNoticedMs = 14 * dayMs
/** but at first it only means that the client missed the answer, or asked twice at once. */
const askedAgainMs = 10 * secondMs

const tokenKinds: Record<string, OAuthTokenKind> = {
  AuthorizationCode: 'oauth_code',
  AccessToken: 'oauth_access',
  RefreshToken: 'oauth_refresh',
}

/** Stores the authorization server's objects of one model in our tables. */
export function createAdapter(ctx: Context, model: string): Adapter {
  const kind = tokenKinds[model]
  if (kind !== undefined) return tokenAdapter(ctx, kind)
  if (model === 'Client') return clientAdapter(ctx)
  if (model === 'Grant') return grantAdapter(ctx)
  if (model === 'Interaction' || model === 'ReplayDetection') return requestAdapter(ctx, model)
  // There are no sessions here: each request is allowed by somebody signed in to the web app.
  if (model === 'Session') return { ...unused(model), upsert: nothing, find: nothing, destroy: nothing }
  return unused(model)
}

const nothing = async () => undefined

function unused(model: string): Adapter {
  const refuse = async () => {
    throw new Error(`${model} is not kept`)
  }
  return {
    upsert: refuse,
    find: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  }
}

function clientAdapter(ctx: Context): Adapter {
  return {
    ...unused('Client'),
    async find(id) {
      if (!isStorableText(id)) return undefined
      const metadata = await findClient(ctx.db, id, ctx.now())
      // Also those registered when more addresses were accepted.
      const redirects = (metadata?.redirect_uris as string[] | undefined)?.filter(isSafeRedirect)
      return redirects?.length ? { ...metadata, redirect_uris: redirects } : undefined
    },
  }
}

function tokenAdapter(ctx: Context, kind: OAuthTokenKind): Adapter {
  return {
    ...unused(kind),
    async upsert(token, { jti, ...payload }, expiresIn) {
      const { accountId, id: grantId } = readSubject(String(payload.grantId))
      const now = ctx.now()
      const expiresAt = now + expiresIn * secondMs
      await transact(ctx, accountId, async ({ db }) => {
        await lockAccount(db, accountId)
        const isThere = await connections.prolongConnection(db, accountId, grantId, expiresAt)
        if (!isThere) throw new InvalidGrant('the connection was ended')
        const hash = sha256(token)
        // The successor of a refresh token may have been given out already.
        if ((await findToken(db, kind, hash)) === undefined)
          await insertToken(db, {
            hash,
            accountId,
            grantId,
            expiresAt,
            kind,
            payload: JSON.stringify(payload),
          })
        await keepClient(db, String(payload.clientId), {
          before: now + clientUsedKeptMs - dayMs,
          expiresAt: now + clientUsedKeptMs,
        })
      })
    },
    async find(token) {
      const found = await findToken(ctx.db, kind, sha256(token))
      const now = ctx.now()
      if (found === undefined || found.expiresAt <= now) return undefined
      return { ...JSON.parse(found.payload), jti: token, consumed: isSpent(kind, found, now) }
    },
    async consume(token) {
      const found = await findToken(ctx.db, kind, sha256(token))
      if (found === undefined) throw new InvalidGrant('the connection was ended')
      const at = ctx.now()
      const expiresAt = Math.min(found.expiresAt, at + replayNoticedMs)
      const isGood = await transact(ctx, found.accountId, async ({ db }) => {
        if (await consumeToken(db, found, { at, expiresAt })) return true
        const used = await findToken(db, kind, found.hash)
        return used !== undefined && !isSpent(kind, used, at)
      })
      if (isGood) return
      await endConnection(ctx, found.accountId, found.grantId, {
        author: { accountId: found.accountId, kind: 'system' },
        details: { reason: 'a token was used twice' },
      })
      throw new InvalidGrant('used twice at once')
    },
    // The grant is always revoked with its tokens, and deletes them.
    destroy: nothing,
    revokeByGrantId: nothing,
  }
}

/** Whether using a token now would be a second use of it. Clocks of processes may differ a little. */
function isSpent(kind: OAuthTokenKind, { consumedAt }: StoredToken, now: number): boolean {
  if (consumedAt === null) return false
  return kind !== 'oauth_refresh' || Math.abs(now - consumedAt) > askedAgainMs
}

function grantAdapter(ctx: Context): Adapter {
  return {
    ...unused('Grant'),
    async find(id) {
      const { accountId, id: connectionId } = readSubject(id)
      const connection = await connections.findConnectionRow(ctx.db, accountId, connectionId)
      if (connection === undefined) return undefined
      const { userId, clientId, resource, scopes } = connection
      return {
        jti: id,
        kind: 'Grant',
        accountId: toSubject({ accountId, id: userId }),
        clientId,
        resources: { [resource]: scopes.join(' ') },
      }
    },
    async destroy(id) {
      const { accountId, id: connectionId } = readSubject(id)
      await endConnection(ctx, accountId, connectionId, {
        author: { accountId, kind: 'system' },
        details: { reason: 'the app ended it, or a code or token was used twice' },
      })
    },
  }
}

function requestAdapter(ctx: Context, model: string): Adapter {
  const idOf = (id: string) => `${model} ${id}`
  return {
    ...unused(model),
    async upsert(id, payload, expiresIn) {
      const expiresAt = ctx.now() + expiresIn * secondMs
      await transact(ctx, ({ db }) =>
        saveRequest(db, { id: idOf(id), payload: JSON.stringify(payload), expiresAt }),
      )
    },
    async find(id): Promise<Payload | undefined> {
      const payload = await findRequest(ctx.db, idOf(id), ctx.now())
      return payload === undefined ? undefined : JSON.parse(payload)
    },
    destroy: (id) => transact(ctx, ({ db }) => deleteRequest(db, idOf(id))),
  }
}
