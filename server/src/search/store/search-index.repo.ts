import { type Insertable, sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { SpacesTable } from '../../store/schema.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { SpaceMemory } from './space-memory.ts'

/** Statistics of a space's index. */
export type IndexedSpace = Scope & {
  /** One more than the number of passages and words ever indexed. */
  nextOrdinal: number
  passages: number
  /** Whether any observation has more than one passage. */
  hasFurther: boolean
  length: number
  version: number
  /** Its newest change. */
  seq: number
  entities: number
  relations: number
  /** All that a search reads, if the space is small. */
  memory?: SpaceMemory | undefined
}

/** A scope, with the memory of its space if it is small and searched. */
export type WithMemory = Scope & Pick<IndexedSpace, 'memory'>

/** Version of the analyser: raised whenever texts are analysed to different terms. */
export const indexVersion = 8

const selectSpace = prepared((db, scope: Scope) =>
  db
    .selectFrom('spaces')
    .select(['indexed', 'passages', 'observations', 'length', 'index_version as version', 'seq'])
    .select(['entities', 'relations'])
    .where(isIn(scope)),
)

/** Undefined for a space in which nothing was ever stored. */
export async function findIndexedSpace(
  db: Db,
  { accountId, spaceId }: Scope,
): Promise<IndexedSpace | undefined> {
  const [row] = await selectSpace(db, { accountId, spaceId })
  if (row === undefined || row.indexed === 0) return undefined
  const { indexed, observations, ...counts } = row
  const hasFurther = counts.passages > observations
  return { accountId, spaceId, nextOrdinal: indexed + 1, hasFurther, ...counts }
}

/** Changes to the number and total length of a space's passages, and the number of ordinals taken. */
export type IndexDelta = { indexed: number; passages: number; length: number }

/** The part of a space not yet indexed during a rebuild: numbers above `above`, up to `upTo`. */
export type Unindexed = { above: number; upTo: number }

export const isUnindexed = (unindexed: Unindexed | undefined, id: number) =>
  unindexed !== undefined && id > unindexed.above && id <= unindexed.upTo

/** From the columns of a space's row. */
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

/** The first ordinal taken, the last passage with vectors (0: none), and the part not yet indexed. */
export type IndexedBefore = { firstOrdinal: number; embeddedTo: number; unindexed: Unindexed | undefined }

/** Must hold the account's lock, like every write. */
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

/** Marks everything up to the number `upTo` as not indexed: the first step of a rebuild. */
export async function beginRenewal(db: Db, scope: Scope, upTo: number): Promise<void> {
  await updateRow(db, scope, { passages: 0, length: 0, index_version: 0, renewed_to: 0, renewing_to: upTo })
}

/** Marks everything up to this number as indexed again. */
export async function continueRenewal(db: Db, scope: Scope, renewedTo: number): Promise<void> {
  await updateRow(db, scope, { renewed_to: renewedTo })
}

/** Records the version of the analyser: the last step of a rebuild. */
export async function endRenewal(db: Db, scope: Scope): Promise<void> {
  await updateRow(db, scope, { index_version: indexVersion, renewed_to: null, renewing_to: null })
}

async function updateRow(db: Db, scope: Scope, columns: Partial<Insertable<SpacesTable>>): Promise<void> {
  await db.updateTable('spaces').set(columns).where(isIn(scope)).execute()
}
