import { sql } from 'kysely'
import { toStoredObservation } from '../../rows/codec.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared } from '../../store/prepared.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

type Page = { after: number; limit: number }
type OfRepository = Scope & Page & { repository: string }

const inScope = (db: Db, values: Scope & Page) =>
  db
    .selectFrom('observations')
    .selectAll()
    .where(isIn(values))
    .where('id', '>', values.after)
    .orderBy('id')
    .limit(values.limit)

const selectCiting = prepared((db, values: OfRepository) =>
  inScope(db, values).where('cited_repository', '=', values.repository),
)
const selectStale = prepared((db, values: Scope & Page) => inScope(db, values).where('stale', 'is not', null))

/** The value of `cited_repository` for files that name several repositories, or none. */
const unnamed = ''

/** Observations that rest on files of this repository, or of none that is named, in order of insertion. */
export async function listCiting(
  db: Db,
  { accountId, spaceId }: Scope,
  { repository, after, limit }: Page & { repository: string },
) {
  const of = (name: string) => selectCiting(db, { accountId, spaceId, repository: name, after, limit })
  const rows = [...(await of(repository)), ...(await of(unnamed))]
  return rows
    .sort((a, b) => a.id - b.id)
    .slice(0, limit)
    .map(toStoredObservation)
}

/** Observations with files that have changed or gone, in order of insertion. */
export async function listStale(db: Db, { accountId, spaceId }: Scope, { after, limit }: Page) {
  return (await selectStale(db, { accountId, spaceId, after, limit })).map(toStoredObservation)
}

/** Observations whose source is this conversation, in order of insertion. */
export async function listSourced(
  db: Db,
  { accountId, spaceId }: Scope,
  { conversation, after, limit }: Page & { conversation: string },
) {
  const named = sql.raw(dialectOf(db).sql.jsonText('source', 'conversationId'))
  const rows = await inScope(db, { accountId, spaceId, after, limit })
    .where('source', 'is not', null)
    .where(sql<boolean>`(${named}) = ${conversation}`)
    .execute()
  return rows.map(toStoredObservation)
}
