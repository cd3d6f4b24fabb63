import { type Insertable, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { prepared, statement } from '../db/prepared.ts'
import type { SpacesTable } from '../db/schema.ts'
import type { Scope } from '../scope.ts'

/** What the index says of a space as a whole. */
export type IndexedSpace = Scope & {
  /** One more than the passages and words that search was ever given. */
  nextOrdinal: number
  passages: number
  /** Some observation consists of more than one passage. */
  hasFurther: boolean
  length: number
  version: number
}

/** Of the analyser: raised whenever texts are analysed to other terms than before. */
export const indexVersion = 2

const selectSpace = prepared((db, { accountId, spaceId }: Scope) =>
  db
    .selectFrom('spaces')
    .select(['indexed', 'passages', 'observations', 'length', 'index_version as version'])
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId),
)

/** Undefined for a space that nothing was ever stored in. */
export async function findIndexedSpace(
  db: Db,
  { accountId, spaceId }: Scope,
): Promise<IndexedSpace | undefined> {
  const [row] = await selectSpace(db, { accountId, spaceId })
  if (row === undefined || row.indexed === 0) return undefined
  const { indexed, passages, observations, length, version } = row
  const hasFurther = passages > observations
  return { accountId, spaceId, nextOrdinal: indexed + 1, passages, hasFurther, length, version }
}

/** How many passages, and how much length, a space has more than before, and how many ordinals were taken. */
export type IndexDelta = { indexed: number; passages: number; length: number }

/** What of a space that is being indexed anew is not yet: numbers above `above`, up to `upTo`. */
export type Unindexed = { above: number; upTo: number }

export const isUnindexed = (unindexed: Unindexed | undefined, id: number) =>
  unindexed !== undefined && id > unindexed.above && id <= unindexed.upTo

/** From what the row of a space says. */
export const toUnindexed = (renewedTo: number | null, renewingTo: number | null): Unindexed | undefined =>
  renewedTo === null || renewingTo === null ? undefined : { above: renewedTo, upTo: renewingTo }

type SpaceAfter = {
  indexed: number
  renewedTo: number | null
  renewingTo: number | null
  embeddedTo: number | null
}

const updateSpace = prepared(
  (db: Db, { accountId, spaceId, indexed, passages, length }: Scope & IndexDelta) =>
    statement<SpaceAfter>(
      db,
      sql`update spaces set indexed = indexed + ${indexed}, passages = passages + ${passages}, length = length + ${length}
      where account_id = ${accountId} and space_id = ${spaceId}
      returning indexed, renewed_to as "renewedTo", renewing_to as "renewingTo", (
        select max(embedded_to) from vector_spaces where account_id = ${accountId} and space_id = ${spaceId}
      ) as "embeddedTo"`,
    ),
)

/** The first ordinal that was taken, up to which passage there are vectors (0: none), and what is not indexed yet. */
export type IndexedBefore = { firstOrdinal: number; embeddedTo: number; unindexed: Unindexed | undefined }

/** Under the account's lock, like every write. */
export async function addToIndexedSpace(
  db: Db,
  { accountId, spaceId }: Scope,
  delta: IndexDelta,
): Promise<IndexedBefore> {
  const [row] = await updateSpace(db, { accountId, spaceId, ...delta })
  if (row === undefined) throw new Error(`Account ${accountId} has no space ${spaceId}`)
  const { indexed, renewedTo, renewingTo, embeddedTo } = row
  return {
    firstOrdinal: indexed - delta.indexed + 1,
    embeddedTo: embeddedTo ?? 0,
    unindexed: toUnindexed(renewedTo, renewingTo),
  }
}

/** Says that nothing up to the number `upTo` is indexed any more: the first step of making an index anew. */
export async function beginRenewal(db: Db, scope: Scope, upTo: number): Promise<void> {
  await updateRow(db, scope, { passages: 0, length: 0, index_version: 0, renewed_to: 0, renewing_to: upTo })
}

/** Says that all is indexed again up to this number. */
export async function continueRenewal(db: Db, scope: Scope, renewedTo: number): Promise<void> {
  await updateRow(db, scope, { renewed_to: renewedTo })
}

/** Says which analyser made the index: the last step of making it anew. */
export async function endRenewal(db: Db, scope: Scope): Promise<void> {
  await updateRow(db, scope, { index_version: indexVersion, renewed_to: null, renewing_to: null })
}

async function updateRow(
  db: Db,
  { accountId, spaceId }: Scope,
  columns: Partial<Insertable<SpacesTable>>,
): Promise<void> {
  await db
    .updateTable('spaces')
    .set(columns)
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .execute()
}
