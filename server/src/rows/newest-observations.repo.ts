import { sql } from 'kysely'
import { numbersOf, toId } from '../ground/lib/ids.ts'
import type { Db } from '../store/db.ts'
import { dialectOf } from '../store/dialect-of.ts'
import type { Scope } from '../tenancy/scope.ts'

/**
 * The first `length` characters of the observation of each entity that was stored last of those told, by entity
 * id. Each is an index lookup, however many observations an entity has.
 */
export async function listNewestTexts(
  db: Db,
  { accountId, spaceId }: Scope,
  entityIds: readonly string[],
  { length, now }: { length: number; now: number },
): Promise<Map<string, string>> {
  const numbers = numbersOf('ent', entityIds)
  if (numbers.length === 0) return new Map()
  const wanted = dialectOf(db).rowsOf(
    'wanted',
    numbers.map((id) => ({ wanted_id: id })),
  )
  const text = sql`(select substr(content, 1, ${length}) from observations where account_id = ${accountId}
    and space_id = ${spaceId} and entity_id = wanted.wanted_id and replaced_by is null
    and (expires_at is null or expires_at > ${now}) order by entity_id desc, id desc limit 1)`
  const { rows } = await sql<{ id: number; text: string | null }>`
    select wanted.wanted_id as id, ${text} as text from ${wanted}`.execute(db)
  return new Map(rows.flatMap((row) => (row.text === null ? [] : [[toId('ent', row.id), row.text] as const])))
}
