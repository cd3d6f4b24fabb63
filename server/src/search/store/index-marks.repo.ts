import { sql } from 'kysely'
import type { Db, NumberedRange } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** When the account's next number was `id`, the space's next ordinal was `ordinal`. */
export type IndexMark = { id: number; ordinal: number }

/** Number of passages and words between two marks, except after a large write. */
const marksEvery = 1_024

/**
 * Whether to set a mark, after the first write or later, when `indexed` more were added and `next` is
 * the next ordinal.
 */
export function isMarkDue(next: number, indexed: number): boolean {
  const first = next - indexed
  return indexed > 0 && (first === 1 || Math.floor(next / marksEvery) > Math.floor(first / marksEvery))
}

export async function setMark(db: Db, { accountId, spaceId }: Scope, mark: IndexMark): Promise<void> {
  await db
    .insertInto('index_marks')
    .values({ account_id: accountId, space_id: spaceId, ...mark })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'space_id', 'id']).doUpdateSet({ ordinal: mark.ordinal }),
    )
    .execute()
}

type Asked = Scope & { asked: readonly NumberedRange[] }
type Around = {
  id: number
  before: number | null
  ordinalBefore: number | null
  after: number | null
  ordinalAfter: number | null
}

const selectMarks = prepared((db: Db, { accountId, spaceId, asked }: Asked) => {
  const nearest = (column: 'id' | 'ordinal', side: 'before' | 'after') => sql`(
    select ${sql.ref(column)} from index_marks where account_id = ${accountId} and space_id = ${spaceId}
      and id ${side === 'before' ? sql`<=` : sql`>`} asked.key order by id ${side === 'before' ? sql`desc` : sql`asc`} limit 1
  )`
  return statement<Around>(
    db,
    sql`select asked.key as id, ${nearest('id', 'before')} as before, ${nearest('ordinal', 'before')} as "ordinalBefore",
      ${nearest('id', 'after')} as after, ${nearest('ordinal', 'after')} as "ordinalAfter"
      from ${dialectOf(db).numberedRangesOf(asked)} as asked`,
  )
})

/**
 * Estimates the ordinal of each of these passages or words in its space. Numbers span the whole account
 * and include relations, so the estimate interpolates between the marks around a number; beyond the
 * last mark, each number is assumed to be a passage.
 */
export async function estimateOrdinals(
  db: Db,
  { accountId, spaceId, nextOrdinal }: Scope & { nextOrdinal: number },
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const asked = ids.map((key) => ({ key, low: 0, high: 0 }))
  const rows = await selectMarks(db, { accountId, spaceId, asked })
  return new Map(rows.map((row) => [row.id, estimate(row, nextOrdinal)]))
}

function estimate({ id, before, ordinalBefore, after, ordinalAfter }: Around, nextOrdinal: number): number {
  if (after === null || ordinalAfter === null) {
    return before === null || ordinalBefore === null
      ? 1
      : Math.min(nextOrdinal - 1, ordinalBefore + (id - before))
  }
  if (before === null || ordinalBefore === null) return Math.max(1, ordinalAfter - (after - id))
  return ordinalBefore + ((ordinalAfter - ordinalBefore) * (id - before)) / (after - before)
}
