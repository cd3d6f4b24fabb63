import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { EntityLabel } from './index-rows.ts'

/** An entity with all its names; `aliases` is JSON, null for none. */
export type NamedEntityRow = EntityLabel & { aliases: string | null }

/** The newest change of a space, its number of entities, and what changed; all but `id` are null for what is no entity. */
type ChangedRow = { seq: number; entities: number; id: number | null } & {
  [Column in 'name' | 'type' | 'aliases']: string | null
}

/** Numbers are unique in the account, so an observation or relation has the number of no entity. */
const selectChanged = prepared((db: Db, { accountId, spaceId, after, limit }: Scope & Asked) =>
  statement<ChangedRow>(
    db,
    sql`select s.seq, s.entities, c.subject_id as id, e.name, e.type, e.aliases from spaces as s
      left join (
        select subject_id from changes
        where account_id = ${accountId} and space_id = ${spaceId} and seq > ${after} order by seq limit ${limit}
      ) as c on true
      left join entities as e on e.account_id = ${accountId} and e.space_id = ${spaceId} and e.id = c.subject_id
      where s.account_id = ${accountId} and s.space_id = ${spaceId}`,
  ),
)

type Asked = { after: number; limit: number }

/** The subjects of the changes after a number; `row` is undefined for one that is no entity or no longer exists. */
export type NameChanges = {
  seq: number
  entities: number
  subjects: { id: number; row: NamedEntityRow | undefined }[]
}

/** Undefined if the space does not exist. */
export async function findNameChanges(
  db: Db,
  { accountId, spaceId }: Scope,
  asked: Asked,
): Promise<NameChanges | undefined> {
  const rows = await selectChanged(db, { accountId, spaceId, ...asked })
  const [first] = rows
  if (first === undefined) return undefined
  const subjects = rows.flatMap(({ id, name, type, aliases }) => {
    if (id === null) return []
    return [{ id, row: name === null || type === null ? undefined : { id, name, type, aliases } }]
  })
  return { seq: first.seq, entities: first.entities, subjects }
}

/** The entities of a space in order of number. */
export async function listAllNames(db: Db, scope: Scope, { after, limit }: Asked): Promise<NamedEntityRow[]> {
  return db
    .selectFrom('entities')
    .select(['id', 'name', 'type', 'aliases'])
    .where(isIn(scope))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}
