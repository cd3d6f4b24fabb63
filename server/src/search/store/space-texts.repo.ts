import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

type Range = { above: number; upTo: number }

/** The subject of a change, with its text if it is a current observation, and its name if it is an entity. */
type ChangedText = {
  id: number
  entityId: number | null
  content: string | null
  name: string | null
  type: string | null
}

const selectChanged = prepared((db: Db, { accountId, spaceId, above, upTo }: Scope & Range) =>
  statement<ChangedText>(
    db,
    sql`select c.subject_id as id, o.entity_id as ${sql.ref('entityId')}, o.content, e.name, e.type
      from changes as c
      left join observations as o on o.account_id = ${accountId} and o.space_id = ${spaceId} and o.id = c.subject_id
      left join entities as e on e.account_id = ${accountId} and e.space_id = ${spaceId} and e.id = c.subject_id
      where c.account_id = ${accountId} and c.space_id = ${spaceId} and c.seq > ${above} and c.seq <= ${upTo}`,
  ),
)

/** The subjects of the changes of a space in a range of numbers, with texts and names as they are now. */
export async function listChangedTexts(
  db: Db,
  { accountId, spaceId }: Scope,
  { above, upTo }: Range,
): Promise<ChangedText[]> {
  return selectChanged(db, { accountId, spaceId, above, upTo })
}

/** The observations of a space in order of number. */
export async function listTexts(db: Db, scope: Scope, { after, limit }: { after: number; limit: number }) {
  return db
    .selectFrom('observations')
    .select(['id', 'entity_id as entityId', 'content'])
    .where(isIn(scope))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}
