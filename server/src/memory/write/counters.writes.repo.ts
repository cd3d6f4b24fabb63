import { fixedColourOf } from '@loci/contract/entity-types'
import { type QueryCreator, sql } from 'kysely'
import { dayMs } from '../../ground/lib/time.ts'
import type { IndexDelta } from '../../search/store/search-index.repo.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared } from '../../store/prepared.ts'
import type { Database } from '../../store/schema.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { nextColour, setTypeColour } from './type-colours.writes.repo.ts'

/** An account and one of its spaces, as loaded by a writer. */
export type LockedSpace = {
  plan: string
  /** In the whole account. */
  entities: number
  bytes: number
  nextId: number
  nextActorId: number
  /** Number and time of the newest change of the space. */
  seq: number
  writtenAt: number
  /** Number of ordinals that search has assigned to passages and words of the space. */
  indexed: number
  /** The last passage with a vector; null if there is none. */
  embeddedTo: number | null
  /** The part of the space not yet indexed while its index is rebuilt. */
  renewedTo: number | null
  renewingTo: number | null
  /** As `spaces` has them. */
  writes: string | null
  reviewers: string | null
}

const selectLocked = prepared((db, values: Scope) =>
  db
    .selectFrom('accounts')
    .innerJoin('spaces', 'spaces.account_id', 'accounts.account_id')
    .select(['accounts.plan', 'accounts.entities', 'accounts.bytes', 'spaces.seq', 'spaces.indexed'])
    .select(['spaces.renewed_to as renewedTo', 'spaces.renewing_to as renewingTo'])
    .select(['spaces.writes', 'spaces.reviewers'])
    .select([
      'spaces.written_at as writtenAt',
      'accounts.next_id as nextId',
      'accounts.next_actor_id as nextActorId',
    ])
    .select((eb) =>
      eb
        .selectFrom('vector_spaces')
        .select((of) => of.fn.max<number | null>('embedded_to').as('last'))
        .where(isIn(values))
        .as('embeddedTo'),
    )
    .where('accounts.account_id', '=', values.accountId)
    .where('accounts.deleted_at', 'is', null)
    .where('spaces.account_id', '=', values.accountId)
    .where('spaces.space_id', '=', values.spaceId)
    .where('spaces.deleted_at', 'is', null)
    .modifyEnd(dialectOf(db).forUpdate),
)

/** Locks the account for writing; undefined if the space or account does not exist or is being deleted. */
export async function lockSpace(db: Db, { accountId, spaceId }: Scope): Promise<LockedSpace | undefined> {
  const [locked] = await selectLocked(db, { accountId, spaceId })
  return locked
}

/** What a plan rests on: every change of a graph changes the number, or at least the totals of its account. */
export type GraphState = Pick<LockedSpace, 'seq' | 'entities' | 'bytes'>

const selectState = prepared((db, values: Scope) =>
  db
    .selectFrom('accounts')
    .innerJoin('spaces', 'spaces.account_id', 'accounts.account_id')
    .select(['spaces.seq', 'accounts.entities', 'accounts.bytes'])
    .where('accounts.account_id', '=', values.accountId)
    .where('spaces.account_id', '=', values.accountId)
    .where('spaces.space_id', '=', values.spaceId),
)

/** The state of a graph, without locking it. */
export async function findState(db: Db, { accountId, spaceId }: Scope): Promise<GraphState | undefined> {
  const [found] = await selectState(db, { accountId, spaceId })
  return found && { seq: found.seq, entities: found.entities, bytes: found.bytes }
}

type AccountDelta = { nextId: number; nextActorId: number; entities: number; bytes: number }
type Creator = Pick<QueryCreator<Database>, 'updateTable'>

const setAccount = (creator: Creator, values: Scope & AccountDelta) =>
  creator
    .updateTable('accounts')
    .set((eb) => ({
      next_id: values.nextId,
      next_actor_id: values.nextActorId,
      entities: eb('entities', '+', values.entities),
      bytes: eb('bytes', '+', values.bytes),
    }))
    .where('account_id', '=', values.accountId)

const updateAccount = prepared(setAccount)

/** Stores the numbers and totals used by a write; `entities` and `bytes` are differences. */
export async function addToAccount(
  db: Db,
  { accountId, spaceId }: Scope,
  delta: AccountDelta,
): Promise<void> {
  await updateAccount(db, { accountId, spaceId, ...delta })
}

type Totals = { entities: number; relations: number; observations: number }
type SpaceDelta = IndexDelta & Totals & { seq: number; writtenAt: number }
const setSpace = (creator: Creator, values: Scope & SpaceDelta) =>
  creator
    .updateTable('spaces')
    .set((eb) => ({
      entities: eb('entities', '+', values.entities),
      relations: eb('relations', '+', values.relations),
      observations: eb('observations', '+', values.observations),
      seq: values.seq,
      written_at: values.writtenAt,
      indexed: eb('indexed', '+', values.indexed),
      passages: eb('passages', '+', values.passages),
      length: eb('length', '+', values.length),
    }))
    .where(isIn(values))

const updateSpace = prepared(setSpace)

/** SQLite has no updates in `with`. */
const updateBoth = prepared((db, values: Scope & AccountDelta & SpaceDelta) =>
  setAccount(
    db.with('space', (creator) => setSpace(creator, values)),
    values,
  ),
)

/** Adds to the totals of an account and a space; `seq` and `writtenAt` are number and time of its newest change. */
export async function addToTotals(
  db: Db,
  { accountId, spaceId }: Scope,
  delta: AccountDelta & SpaceDelta,
): Promise<void> {
  const values = { accountId, spaceId, ...delta }
  if (dialectOf(db).name === 'postgres') await updateBoth(db, values)
  else {
    await updateAccount(db, values)
    await updateSpace(db, values)
  }
}

type TypeDelta = { kind: 'entity' | 'relation'; type: string; count: number }
const upsertTypeCount = prepared((db, values: Scope & TypeDelta) =>
  db
    .insertInto('type_counts')
    .values({
      account_id: values.accountId,
      space_id: values.spaceId,
      kind: values.kind,
      type: values.type,
      count: values.count,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'space_id', 'kind', 'type'])
        .doUpdateSet({ count: sql<number>`type_counts.count + excluded.count` }),
    )
    .returning('colour'),
)

/** Counts things of a type. A new entity type gets a colour. */
export async function addToTypeCount(db: Db, { accountId, spaceId }: Scope, delta: TypeDelta): Promise<void> {
  const [row] = await upsertTypeCount(db, { accountId, spaceId, ...delta })
  const { kind, type } = delta
  if (kind === 'relation' || row?.colour != null || fixedColourOf(type) !== undefined) return
  await setTypeColour(db, { accountId, spaceId }, type, await nextColour(db, { accountId, spaceId }))
}

/** Adds to the bytes of an account outside a write of its graph. */
export async function addAccountBytes(db: Db, accountId: number, bytes: number): Promise<void> {
  await db
    .updateTable('accounts')
    .set((eb) => ({ bytes: eb('bytes', '+', bytes) }))
    .where('account_id', '=', accountId)
    .execute()
}

/** If a clock is behind by more than this, it was wrong before: the new time is accepted. */
const setBackMax = 7 * dayMs

/**
 * The time of a write, in milliseconds. If the clock was set back, the time of the newest change is
 * used until the clock has caught up, so that the change log is in time order and nothing is older than
 * what it changes.
 */
export function timeOfWrite(now: number, newest: number): number {
  return newest > now && newest - now <= setBackMax ? newest : now
}
