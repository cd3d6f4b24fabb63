import { aliasesOf } from '../../rows/aliases.repo.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/**
 * Updates the name lookup to match an entity's new `entities.aliases`; both lists are JSON, null for
 * none.
 */
export async function replaceAliases(
  db: Db,
  scope: Scope,
  entityId: number,
  { before, after }: { before: string | null; after: string | null },
): Promise<void> {
  const dialect = dialectOf(db)
  const [old, wanted] = [aliasesOf(before), aliasesOf(after)]
  const gone = old.filter((name) => !wanted.includes(name))
  if (gone.length > 0) {
    await db.deleteFrom('aliases').where(isIn(scope)).where(dialect.isOneOf('name', gone)).execute()
  }
  const rows = wanted
    .filter((name) => !old.includes(name))
    .map((name) => ({ account_id: scope.accountId, space_id: scope.spaceId, name, entity_id: entityId }))
  await dialect.insertRows(db, 'aliases', rows)
}
