import { aliasesOf } from '../../rows/aliases.repo.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared } from '../../store/prepared.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** The numbers of two entities, the lower first. */
export type Pair = readonly [first: number, second: number]

export type NamedRow = { id: number; name: string; type: string; aliases: string[] }

const namesOf = (db: Db, scope: Scope) =>
  db.selectFrom('entities').select(['id', 'name', 'type', 'aliases']).where(isIn(scope))

const selectPage = prepared((db, values: Scope & { after: number; limit: number }) =>
  namesOf(db, values).where('id', '>', values.after).orderBy('id').limit(values.limit),
)
const selectById = prepared((db, values: Scope & { numbers: readonly number[] }) =>
  namesOf(db, values).where(dialectOf(db).isOneOfNumbers('id', values.numbers)),
)

type Row = { id: number; name: string; type: string; aliases: string | null }
const toNamed = ({ aliases, ...row }: Row): NamedRow => ({ ...row, aliases: aliasesOf(aliases) })

/** Entities with their names, in order of insertion, after the number `after`. */
export async function listNamedPage(
  db: Db,
  { accountId, spaceId }: Scope,
  { after, limit }: { after: number; limit: number },
): Promise<NamedRow[]> {
  return (await selectPage(db, { accountId, spaceId, after, limit })).map(toNamed)
}

/** Names by entity number. */
export async function findNamedByNumber(
  db: Db,
  { accountId, spaceId }: Scope,
  numbers: readonly number[],
): Promise<Map<number, NamedRow>> {
  const rows = await selectById(db, { accountId, spaceId, numbers })
  return new Map(rows.map((row) => [row.id, toNamed(row)]))
}

const typesRead = 2_000

/** Relation types in use, in alphabetical order. */
export async function listRelationTypesInUse(db: Db, scope: Scope): Promise<string[]> {
  const rows = await db
    .selectFrom('type_counts')
    .select('type')
    .where(isIn(scope))
    .where('kind', '=', 'relation')
    .orderBy('type')
    .limit(typesRead)
    .execute()
  return rows.map(({ type }) => type)
}

/** The ends of relations of a type, newest first, at most `limit`. */
export async function listPairsRelated(db: Db, scope: Scope, type: string, limit: number): Promise<Pair[]> {
  const rows = await db
    .selectFrom('relations')
    .select(['from_id', 'to_id'])
    .where(isIn(scope))
    .where('type', '=', type)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ from_id, to_id }) => (from_id < to_id ? [from_id, to_id] : [to_id, from_id]))
}

/** The dismissed pairs among those that begin with one of these entities. */
export async function listDismissed(db: Db, scope: Scope, firsts: readonly number[]): Promise<Pair[]> {
  if (firsts.length === 0) return []
  const rows = await db
    .selectFrom('dismissed_duplicates')
    .select(['first_id', 'second_id'])
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('first_id', firsts))
    .execute()
  return rows.map(({ first_id, second_id }) => [first_id, second_id])
}

export async function putDismissed(
  db: Db,
  { accountId, spaceId }: Scope,
  [first, second]: Pair,
  at: number,
): Promise<void> {
  await db
    .insertInto('dismissed_duplicates')
    .values({
      account_id: accountId,
      space_id: spaceId,
      first_id: first,
      second_id: second,
      dismissed_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'space_id', 'first_id', 'second_id']).doNothing(),
    )
    .execute()
}

export async function deleteDismissed(db: Db, scope: Scope, [first, second]: Pair): Promise<void> {
  await db
    .deleteFrom('dismissed_duplicates')
    .where(isIn(scope))
    .where('first_id', '=', first)
    .where('second_id', '=', second)
    .execute()
}
