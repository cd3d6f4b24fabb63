import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import type { Scope } from '../scope.ts'

/** The list that `entities.aliases` holds. */
export const aliasesOf = (json: string | null): string[] => (json === null ? [] : JSON.parse(json))

/** Numbers of the entities that these names lead to as aliases. */
export async function findAliases(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('aliases')
    .select(['name', 'entity_id'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where(dialect.isOneOf('name', names))
    .execute()
  return new Map(rows.map(({ name, entity_id }) => [name, entity_id]))
}
