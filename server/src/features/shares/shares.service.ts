import { type CreatedShare, type CreateShare, type Share, sharesMax } from '@loci/contract/shares'
import { publicAddress } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { randomToken, sha256 } from '../../ground/lib/secrets.ts'
import { fromIso, toIso } from '../../ground/lib/time.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import type { Db } from '../../store/db.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { deleteCredentials, insertCredential } from '../../tenancy/auth/credentials.repo.ts'
import { subjectOfShare } from '../../tenancy/auth/share-subjects.ts'
import { listUserNames } from '../../tenancy/auth/user-names.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { type Chosen, chooseShared, numbersIn } from './choose-shared.ts'
import * as shares from './shares.repo.ts'
import { titleOf } from './shares.rules.ts'

/** Newest first. */
export async function listShares({ db }: Context, actor: Actor): Promise<Share[]> {
  const rows = await shares.listShareRows(db, actor, sharesMax)
  return toShares(db, actor, rows)
}

/**
 * Makes a page of what a view shows now; its address is the only secret, of which the hash is stored. Throws
 * `entity_not_found`, `region_not_found`, `path_not_found`, `share_limit_reached`, `validation_failed`.
 */
export async function createShare(
  ctx: Context,
  actor: Actor,
  { view, expiresAt }: CreateShare,
): Promise<CreatedShare> {
  const endsAt = expiresAt === undefined ? null : fromIso(expiresAt)
  if (endsAt !== null && endsAt <= ctx.now())
    throw new AppError('validation_failed', 'The address must end in the future', {
      details: [{ path: 'expiresAt', message: 'Must be in the future' }],
    })
  const chosen = await chooseShared(ctx, actor, view)
  const token = randomToken()
  const row = await transact(ctx, actor.accountId, async (inner) => {
    const { db } = inner
    await lockAccount(db, actor.accountId)
    if ((await shares.listShareRows(db, actor, sharesMax)).length >= sharesMax)
      throw new AppError(
        'share_limit_reached',
        `A space has ${sharesMax} shared pages at most. End one first.`,
      )
    const share = toRow(inner, actor, chosen, { view, token, endsAt })
    await shares.insertShare(db, actor, share)
    await insertCredential(db, {
      hash: share.tokenHash,
      kind: 'share',
      accountId: actor.accountId,
      subject: subjectOfShare(actor.spaceId, share.id),
      expiresAt: endsAt,
    })
    await recordAudit(inner, actor, { action: 'view_shared', subject: { kind: 'share', id: share.id } })
    return share
  })
  const [share] = await toShares(ctx.db, actor, [row])
  return { share: share!, url: `${publicAddress(ctx.config)}/shared/${token}` }
}

type Wanted = { view: CreateShare['view']; token: string; endsAt: number | null }

function toRow(
  { newId, now }: Context,
  actor: Actor,
  chosen: Chosen,
  { view, token, endsAt }: Wanted,
): shares.StoredShare {
  return {
    id: newId('shr'),
    tokenHash: sha256(token),
    kind: view.kind,
    title: view.title ?? chosen.title,
    note: view.note ?? '',
    entities: numbersIn(chosen.entityIds),
    asOf: chosen.asOf,
    createdBy: actor.userId,
    createdAt: now(),
    expiresAt: endsAt,
  }
}

/** Throws `share_not_found`. */
export async function deleteShare(ctx: Context, actor: Actor, id: string): Promise<void> {
  await transact(ctx, actor.accountId, async (inner) => {
    await lockAccount(inner.db, actor.accountId)
    const share = await shares.findShare(inner.db, actor, id)
    if (share === undefined) throw new AppError('share_not_found', 'This page is not shared')
    await endShare(inner, actor, share)
    await recordAudit(inner, actor, { action: 'share_ended', subject: { kind: 'share', id } })
  })
}

/** Ends all shares of a space that is being deleted. Must be called in a transaction. */
export async function endSharesOf(ctx: Context, scope: Scope): Promise<void> {
  for (const share of await shares.listShareRows(ctx.db, scope, sharesMax)) await endShare(ctx, scope, share)
}

async function endShare({ db }: Context, scope: Scope, share: shares.StoredShare): Promise<void> {
  await deleteCredentials(db, [share.tokenHash])
  await shares.deleteShareRow(db, scope, share.id)
}

/** Names are those of now: a name that was erased is in no share. */
async function toShares(db: Db, scope: Scope, rows: readonly shares.StoredShare[]): Promise<Share[]> {
  const people = await listUserNames(
    db,
    rows.map(({ createdBy }) => createdBy),
  )
  const ends = rows.flatMap(({ entities }) => [entities[0]!, entities.at(-1)!])
  const found = await findEntitiesById(
    db,
    scope,
    [...new Set(ends)].map((number) => toId('ent', number)),
  )
  const nameOf = new Map(found.map(({ id, name }) => [id, name]))
  return rows.map((row) => {
    const names = [row.entities[0]!, row.entities.at(-1)!].flatMap(
      (end) => nameOf.get(toId('ent', end)) ?? [],
    )
    return {
      id: row.id,
      kind: row.kind,
      title: titleOf(row.kind, row.title, names),
      entities: row.entities.length,
      createdAt: toIso(row.createdAt),
      expiresAt: row.expiresAt === null ? null : toIso(row.expiresAt),
      createdBy: { name: people.get(row.createdBy) ?? 'Unknown' },
    }
  })
}
