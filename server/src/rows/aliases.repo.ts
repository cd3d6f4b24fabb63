import type { Db } from '../store/db.ts'
import { dialectOf } from '../store/dialect-of.ts'
import { prepared } from '../store/prepared.ts'
import { isIn } from '../tenancy/scope.repo.ts'
import type { Scope } from '../tenancy/scope.ts'

/** Parses `entities.aliases`. */
export const aliasesOf = (json: string | null): string[] => (json === null ? [] : JSON.parse(json))

const selectAliases = prepared((db, values: Scope & { names: readonly string[] }) =>
  db
    .selectFrom('aliases')
    .select(['name', 'entity_id'])
    .where(isIn(values))
    .where(dialectOf(db).isOneOf('name', values.names)),
)

/** Numbers of the entities that have these names as aliases. */
export async function findAliases(
  db: Db,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const { accountId, spaceId } = scope
  const rows = await selectAliases(db, { accountId, spaceId, names })
  return new Map(rows.map(({ name, entity_id }) => [name, entity_id]))
}
