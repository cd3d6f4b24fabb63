import { sql } from 'kysely'
import type { Db, NumberedRange } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import { prepared, statement } from '../db/prepared.ts'
import type { Scope } from '../scope.ts'

/** What the index says of a space as a whole. */
export type IndexedSpace = Scope & {
  /** What the next passage or word gets: they are numbered in the space by their age. */
  nextOrdinal: number
  passages: number
  length: number
  version: number
}

/** Of the analyser: raised whenever texts are analysed to other terms than before. */
export const indexVersion = 2

const selectSpace = prepared((db, { accountId, spaceId }: Scope) =>
  db
    .selectFrom('spaces')
    .select(['indexed', 'passages', 'length', 'index_version as version'])
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
  const { indexed, passages, length, version } = row
  return { accountId, spaceId, nextOrdinal: indexed + 1, passages, length, version }
}

/** How many passages, and how much length, a space has more than before, and how many ordinals were taken. */
export type IndexDelta = { indexed: number; passages: number; length: number }

const updateSpace = prepared(
  (db: Db, { accountId, spaceId, indexed, passages, length }: Scope & IndexDelta) =>
    statement<{ indexed: number; embeddedTo: number | null }>(
      db,
      sql`update spaces set indexed = indexed + ${indexed}, passages = passages + ${passages}, length = length + ${length}
      where account_id = ${accountId} and space_id = ${spaceId}
      returning indexed, (
        select max(embedded_to) from vector_spaces where account_id = ${accountId} and space_id = ${spaceId}
      ) as "embeddedTo"`,
    ),
)

/** The first ordinal that was taken, and up to which passage there are vectors; 0 where there are none. */
export type IndexedBefore = { firstOrdinal: number; embeddedTo: number }

/** Under the account's lock, like every write. */
export async function addToIndexedSpace(
  db: Db,
  { accountId, spaceId }: Scope,
  delta: IndexDelta,
): Promise<IndexedBefore> {
  const [row] = await updateSpace(db, { accountId, spaceId, ...delta })
  if (row === undefined) throw new Error(`Account ${accountId} has no space ${spaceId}`)
  return { firstOrdinal: row.indexed - delta.indexed + 1, embeddedTo: row.embeddedTo ?? 0 }
}

/** Says which analyser made the index: the last step of making it anew. */
export async function setIndexVersion(db: Db, { accountId, spaceId }: Scope, version: number): Promise<void> {
  await db
    .updateTable('spaces')
    .set({ index_version: version })
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .execute()
}

type Asked = Scope & { asked: readonly NumberedRange[] }

const selectOrdinals = prepared((db: Db, { accountId, spaceId, asked }: Asked, dialect: Dialect) =>
  statement<{ id: number; ordinal: number | null }>(
    db,
    sql`select asked.key as id, (
      select ordinal from passages where account_id = ${accountId} and space_id = ${spaceId} and id <= asked.key
      order by id desc limit 1
    ) as ordinal from ${dialect.numberedRangesOf(asked)} as asked`,
  ),
)

/** The ordinals of passages and words; of a word that of the passage before it. */
export async function findOrdinals(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const asked = ids.map((key) => ({ key, low: 0, high: 0 }))
  const rows = await selectOrdinals(db, { accountId, spaceId, asked }, dialect)
  return new Map(rows.map(({ id, ordinal }) => [id, ordinal ?? 0]))
}
