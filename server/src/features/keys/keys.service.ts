import type { Door } from '@loci/contract/doors'
import {
  type ApiKey,
  type CreateApiKey,
  keyExpiringSoonDays,
  type NewApiKey,
  previewOfKey,
  rolledKeyDays,
  type UpdateApiKey,
} from '@loci/contract/keys'
import { fitsLimit, unlimited } from '@loci/contract/plans'
import { AppError, invalidField } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { newApiKey, sha256 } from '../../ground/lib/secrets.ts'
import { dayMs, fromIso, hourMs, secondMs, toIso } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { announceRevocation } from '../../tenancy/auth/announce-revocation.ts'
import { doorOf } from '../../tenancy/auth/doors.ts'
import { reachOf } from '../../tenancy/auth/permissions.ts'
import { findSpace, listReachableSpaces } from '../../tenancy/auth/resolve-space.ts'
import { listSpaceNames } from '../../tenancy/auth/spaces.repo.ts'
import { listUserNames } from '../../tenancy/auth/user-names.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { limitsInForce, wayOut } from '../../tenancy/usage/plan-in-force.ts'
import { recordAudit } from '../audit/record-audit.ts'
import * as keys from './keys.repo.ts'

/** Expired keys are listed for this long, then deleted. */
const expiredKeyKeptMs = 90 * dayMs

/** Maximum for an account without limits, so that a list can show all active keys. */
const keysMax = 400

/** The key limit of the largest plan on sale, so that all of its keys can be rolled at once. */
const rolledKeysMax = 50

/** The keys that the caller manages, newest first, with their use so far. */
export async function listKeys(ctx: Context, actor: Actor): Promise<ApiKey[]> {
  await ctx.usage.flush()
  const stored = await keys.listKeyRows(ctx.db, actor.accountId, onlyMakerFor(actor))
  const makers = stored.map((key) => key.createdBy)
  const names = await listUserNames(ctx.db, makers)
  const spaces = await listSpaceNames(ctx.db, actor.accountId)
  const present = new Set(spaces.map(({ spaceId }) => spaceId))
  return stored.map((key) => ({
    ...toApiKey(key, names.get(key.createdBy) ?? 'Unknown', ctx.now()),
    spaces:
      key.spaces
        ?.filter((space) => present.has(space) && key.doors[space] !== 'none')
        .map((space) => toId('spc', space)) ?? null,
    doors: Object.fromEntries(
      Object.entries(key.doors)
        .filter(([space]) => present.has(Number(space)))
        .map(([space, door]) => [toId('spc', Number(space)), door]),
    ),
  }))
}

/** The user whose keys the caller manages; undefined for all users. */
const onlyMakerFor = (actor: Actor) => (reachOf(actor, 'keys:manage') === 'all' ? undefined : actor.userId)

/** Throws `key_not_found`, also for another user's key if the caller manages only their own. */
export async function requireKey({ db }: Context, actor: Actor, id: string): Promise<keys.StoredKey> {
  const key = await keys.findKey(db, actor.accountId, id)
  const maker = onlyMakerFor(actor)
  if (key === undefined || (maker !== undefined && key.createdBy !== maker)) throw notFound()
  return key
}

/** Number of keys that count towards the plan's limit. */
export async function countKeys(ctx: Context, actor: Actor): Promise<number> {
  return keys.countKeyRows(ctx.db, actor.accountId, ctx.now())
}

function toApiKey(
  { hash, rolledAt, createdAt, expiresAt, lastUsedAt, spaces, doors, ...key }: keys.StoredKey,
  maker: string,
  now: number,
): Omit<ApiKey, 'spaces' | 'doors'> {
  const isExpired = expiresAt !== null && expiresAt <= now
  return {
    ...key,
    createdBy: { name: maker },
    createdAt: toIso(createdAt),
    expiresAt: expiresAt === null ? null : toIso(expiresAt),
    lastUsedAt: lastUsedAt === null ? null : toIso(lastUsedAt),
    isExpired,
    isExpiringSoon: !isExpired && expiresAt !== null && expiresAt - now <= keyExpiringSoonDays * dayMs,
  }
}

/** Throws `plan_limit_reached`, `validation_failed`, `space_not_found`. */
export async function createKey(ctx: Context, actor: Actor, input: CreateApiKey): Promise<NewApiKey> {
  const expiresAt = input.expiresAt == null ? null : fromIso(input.expiresAt)
  if (expiresAt !== null && expiresAt <= ctx.now()) {
    throw invalidField('expiresAt', 'The expiry date must be in the future')
  }
  const { writes = 'direct' } = input
  return transact(ctx, async (inner) => {
    await requirePlace(inner, actor)
    const permissions = [...new Set(input.permissions)]
    const spaces = await toSpaceNumbers(inner, actor, input.spaces)
    const made = await insertKey(inner, actor, {
      name: input.name,
      expiresAt,
      permissions,
      spaces,
      writes,
    })
    await recordAudit(inner, actor, {
      action: 'key_created',
      subject: { kind: 'key', id: made.id, name: input.name },
      details: {
        permissions: permissions.join(' ') || 'all',
        spaces: spaces === null ? 'all' : spaces.map((space) => toId('spc', space)).join(' '),
        writes,
        ...(expiresAt === null ? {} : { expiresAt: toIso(expiresAt) }),
      },
    })
    return made
  })
}

/** Converts ids or names to numbers, in the given order. Throws `space_not_found`. */
async function toSpaceNumbers(ctx: Context, actor: Actor, wanted: CreateApiKey['spaces']) {
  if (wanted == null) return null
  const spaces = await listReachableSpaces(ctx, actor)
  const numbers = wanted.map((text) => {
    const space = findSpace(spaces, text)
    if (space === undefined) throw new AppError('space_not_found', `There is no space ${text}`)
    return space.spaceId
  })
  return [...new Set(numbers)]
}

/** Locks the account, so that keys created concurrently are counted one after the other. */
async function requirePlace({ config, db, now }: Context, { accountId }: Actor): Promise<void> {
  const { plan } = await lockAccount(db, accountId)
  await keys.deleteKeysEndedBefore(db, accountId, now() - expiredKeyKeptMs)
  const limit = limitsInForce(config, plan).maxApiKeys
  const used = await keys.countKeyRows(db, accountId, now())
  if (limit === unlimited && used >= keysMax) {
    const message = `An account has ${keysMax} API keys at most. Delete those that nobody uses any more.`
    throw new AppError('plan_limit_reached', message, { details: [{ limit: keysMax, used, plan }] })
  }
  if (fitsLimit(limit, used)) return
  const allowed = limit === 1 ? '1 API key' : `${limit} API keys`
  throw new AppError('plan_limit_reached', `Your plan allows ${allowed}. ${wayOut(config, 'create more')}`, {
    details: [{ limit, used, plan }],
  })
}

async function insertKey(
  { db, newId, now }: Context,
  actor: Actor,
  given: Pick<keys.NewKey, 'name' | 'expiresAt' | 'permissions' | 'spaces' | 'writes' | 'doors'>,
): Promise<NewApiKey> {
  const id = newId('key')
  const apiKey = newApiKey()
  await keys.insertKey(db, {
    accountId: actor.accountId,
    ...given,
    id,
    hash: sha256(apiKey),
    preview: previewOfKey(apiKey),
    createdBy: actor.userId,
    at: now(),
  })
  return { id, apiKey }
}

/**
 * Replaces a key with a new one of the same name and lifetime. The old one works for at most two more weeks and does
 * not count towards the plan's limit, so that accounts at the limit can roll keys; hence it cannot be rolled again.
 * Throws `key_not_found`, `key_rolled`, `rate_limited` if too many rolled keys still work, `plan_limit_reached` for an
 * expired key.
 */
export async function rollKey(ctx: Context, actor: Actor, id: string): Promise<NewApiKey> {
  return transact(ctx, async (inner) => {
    const { db, now } = inner
    await lockAccount(db, actor.accountId)
    const old = await requireKey(inner, actor, id)
    if (old.rolledAt !== null) throw new AppError('key_rolled', 'This key has already been rolled')
    const rolledAt = now()
    const end = old.expiresAt ?? Number.POSITIVE_INFINITY
    if (end <= rolledAt) await requirePlace(inner, actor)
    else await requireFewRolled(inner, actor)
    const expiresAt = Math.min(end, rolledAt + rolledKeyDays * dayMs)
    await keys.endRolledKey(db, actor.accountId, old, { rolledAt, expiresAt })
    const made = await insertKey(inner, actor, {
      name: old.name,
      permissions: old.permissions,
      spaces: old.spaces,
      writes: old.writes,
      doors: old.doors,
      expiresAt: old.expiresAt === null ? null : rolledAt + (old.expiresAt - old.createdAt),
    })
    await recordAudit(inner, actor, {
      action: 'key_rolled',
      subject: { kind: 'key', id, name: old.name },
      details: { newKey: made.id },
    })
    return made
  })
}

/**
 * Takes effect with the key's next call; what follows changes through it is checked again. Throws `key_not_found`,
 * `space_not_found`.
 */
export async function updateKey(
  ctx: Context,
  actor: Actor,
  id: string,
  { writes, door }: UpdateApiKey,
): Promise<void> {
  await transact(ctx, async (inner) => {
    await announceRevocation(inner, actor.accountId)
    const key = await requireKey(inner, actor, id)
    const [space] = (await toSpaceNumbers(inner, actor, door && [door.space])) ?? []
    const kept = { ...key, ...(writes && { writes }) }
    const changed = door === undefined || space === undefined ? kept : withDoor(kept, space, door.opens)
    await keys.updateKeyReach(inner.db, actor.accountId, changed)
    await recordAudit(inner, actor, {
      action: 'key_changed',
      subject: { kind: 'key', id, name: key.name },
      details: {
        ...(writes && { writes }),
        ...(door && space !== undefined && { space: toId('spc', space), opens: door.opens }),
      },
    })
  })
}

/** Keeps a door of its own only where it differs from the rest. A closed space stays listed, so a key never opens all. */
function withDoor(key: keys.StoredKey, space: number, opens: Door): keys.StoredKey {
  const { [space]: _, ...others } = key.doors
  const { permissions, writes } = key
  const ordinary = doorOf({ ...(permissions.length > 0 && { permissions }), writes })
  const isListed = key.spaces?.includes(space) ?? true
  if (!isListed && opens === 'none') return { ...key, doors: others }
  return {
    ...key,
    spaces: isListed ? key.spaces : [...(key.spaces ?? []), space],
    doors: opens === ordinary ? others : { ...others, [space]: opens },
  }
}

async function requireFewRolled({ db, now }: Context, { accountId }: Actor): Promise<void> {
  await keys.deleteKeysEndedBefore(db, accountId, now() - expiredKeyKeptMs)
  if ((await keys.countRolledKeys(db, accountId, now())) < rolledKeysMax) return
  throw new AppError(
    'rate_limited',
    `${rolledKeysMax} rolled keys still work. Delete those that nobody uses any more, or wait until they expire.`,
    { retryAfter: hourMs / secondMs },
  )
}

const notFound = () => new AppError('key_not_found', 'API key not found')

/** Takes effect at once, since every call looks the key up. Throws `key_not_found`. */
export async function deleteKey(ctx: Context, actor: Actor, id: string): Promise<void> {
  await transact(ctx, async (inner) => {
    await announceRevocation(inner, actor.accountId)
    const key = await requireKey(inner, actor, id)
    await keys.deleteKeyRow(inner.db, actor.accountId, key)
    await recordAudit(inner, actor, { action: 'key_deleted', subject: { kind: 'key', id, name: key.name } })
  })
}

/** Deletes the keys that a user created, in the transaction of `inner`. */
export async function deleteKeysOf(
  { db }: Pick<Context, 'db' | 'dialect'>,
  accountId: number,
  userId: string,
): Promise<void> {
  await keys.deleteKeyRowsOf(db, accountId, userId)
}
