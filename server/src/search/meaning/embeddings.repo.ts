import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { EmbeddedPassage } from '../store/vector-gaps.repo.ts'

/** An embedder as the database knows it. */
export type KnownEmbedder = {
  number: number
  dimensions: number | undefined
  isNative: boolean
  failure: { message: string; at: number } | undefined
}

export async function findEmbedder(db: Db, identity: string): Promise<KnownEmbedder | undefined> {
  const row = await db.selectFrom('embedders').selectAll().where('identity', '=', identity).executeTakeFirst()
  if (row === undefined) return undefined
  const { number, dimensions, failure, failed_at: at } = row
  return {
    number,
    dimensions: dimensions ?? undefined,
    isNative: row.is_native === 1,
    failure: failure === null || at === null ? undefined : { message: failure, at },
  }
}

export async function findNewestNumber(db: Db): Promise<number> {
  const { number } = await db
    .selectFrom('embedders')
    .select((eb) => eb.fn.coalesce(eb.fn.max('number'), eb.lit(0)).as('number'))
    .executeTakeFirstOrThrow()
  return number
}

/**
 * Gives an embedder a number above all others and retires its previous one. Numbers are never reused, so an
 * embedder's old vectors are never mistaken for new ones.
 */
export async function enterEmbedder(db: Db, identity: string, isNative: boolean): Promise<void> {
  await retire(db).where('identity', '=', identity).execute()
  await sql`insert into embedders (number, identity, is_native)
    select coalesce(max(number), 0) + 1, ${identity}, ${isNative ? 1 : 0} from embedders`.execute(db)
}

export async function setDimensions(db: Db, number: number, dimensions: number): Promise<void> {
  await db.updateTable('embedders').set({ dimensions }).where('number', '=', number).execute()
}

export async function setFailure(
  db: Db,
  number: number,
  failure: { message: string; at: number } | undefined,
): Promise<void> {
  await db
    .updateTable('embedders')
    .set({ failure: failure?.message ?? null, failed_at: failure?.at ?? null })
    .where('number', '=', number)
    .execute()
}

/** Retires all embedders: no search finds their vectors any more, and they are computed again. */
export async function retireEmbedders(db: Db): Promise<void> {
  await retire(db).execute()
}

const retire = (db: Db) =>
  db
    .updateTable('embedders')
    .set({ identity: sql<string>`cast(number as text)`, failure: null, failed_at: null })

export type SpaceProgress = Scope & {
  /** Passages up to this number have vectors, except gaps. */
  embeddedTo: number
  /** Number of the newest passage; 0 if there is none. */
  newest: number
  /** The first gap; null if there is none. */
  gap: number | null
}

/** The progress of an embedder in the spaces after `after`, in the order of their keys; of these accounts if given. */
export async function listProgress(
  db: Db,
  embedder: number,
  after: Scope,
  limit: number,
  accountIds?: readonly number[],
): Promise<SpaceProgress[]> {
  return progressQuery(db, embedder, accountIds)
    .where((eb) =>
      eb(eb.refTuple('s.account_id', 's.space_id'), '>', eb.tuple(after.accountId, after.spaceId)),
    )
    .orderBy('s.account_id')
    .orderBy('s.space_id')
    .limit(limit)
    .execute()
}

export async function findProgress(
  db: Db,
  embedder: number,
  scope: Scope,
): Promise<SpaceProgress | undefined> {
  return progressQuery(db, embedder, [scope.accountId])
    .where('s.space_id', '=', scope.spaceId)
    .executeTakeFirst()
}

/** Each table has the condition, or a cluster asks all nodes. */
function progressQuery(db: Db, embedder: number, accountIds?: readonly number[]) {
  const isOf = (table: string) =>
    accountIds === undefined
      ? sql<SqlBool>`true`
      : dialectOf(db).isOneOfNumbers(`${table}.account_id`, accountIds)
  return db
    .selectFrom('spaces as s')
    .leftJoin('vector_spaces as v', (join) =>
      join
        .onRef('v.account_id', '=', 's.account_id')
        .onRef('v.space_id', '=', 's.space_id')
        .on('v.embedder', '=', embedder),
    )
    .where('s.deleted_at', 'is', null)
    .where(isOf('s'))
    .select(['s.account_id as accountId', 's.space_id as spaceId'])
    .select((eb) => eb.fn.coalesce('v.embedded_to', eb.lit(0)).as('embeddedTo'))
    .select((eb) => [
      sql<number>`(select coalesce(max(id), 0) from (
        select max(id) as id from observations
        where account_id = s.account_id and space_id = s.space_id and ${isOf('observations')}
        union all
        select max(id) from passages
        where account_id = s.account_id and space_id = s.space_id and ${isOf('passages')}
      ) as newest)`.as('newest'),
      eb
        .selectFrom('vector_gaps as g')
        .select((inner) => inner.fn.min('g.passage_id').as('gap'))
        .whereRef('g.account_id', '=', 's.account_id')
        .whereRef('g.space_id', '=', 's.space_id')
        .where(isOf('g'))
        .as('gap'),
    ])
}

/** Number of passages of observations above `above`, plus the gaps below. */
export async function countPassagesToEmbed(
  db: Db,
  { accountId, spaceId }: Scope,
  above: number,
): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select
    (select count(*) from observations where account_id = ${accountId} and space_id = ${spaceId} and id > ${above}) +
    (select count(*) from passages where account_id = ${accountId} and space_id = ${spaceId} and id > ${above}) +
    (select count(*) from vector_gaps where account_id = ${accountId} and space_id = ${spaceId}
      and passage_id <= ${above}) as waiting`.execute(db)
  return rows[0]!.waiting
}

/** A passage that waits for its vector: part number `part`, from 0, of the observation. */
export type WaitingPassage = EmbeddedPassage & { part: number }

/** The passages after `above`, in order of number. */
export async function listPassagesAbove(
  db: Db,
  scope: Scope,
  above: number,
  limit: number,
): Promise<WaitingPassage[]> {
  const { rows } = await sql<WaitingPassage>`select * from (
      ${passagesWhere(scope, sql`first.id > ${above} order by first.id limit ${limit}`, sql`p.id > ${above} order by p.id limit ${limit}`)}
    ) as waiting order by id limit ${limit}`.execute(db)
  return rows
}

/** The first gaps with their passages; `gone` has the ids of gaps whose passage was deleted. */
export async function listGaps(
  db: Db,
  scope: Scope,
  limit: number,
): Promise<{ passages: WaitingPassage[]; gone: number[] }> {
  const dialect = dialectOf(db)
  const gaps = await db
    .selectFrom('vector_gaps')
    .select('passage_id as id')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .orderBy('passage_id')
    .limit(limit)
    .execute()
  const ids = gaps.map(({ id }) => id)
  const { rows: passages } = await passagesWhere(
    scope,
    dialect.isOneOfNumbers('first.id', ids),
    dialect.isOneOfNumbers('p.id', ids),
  ).execute(db)
  const found = new Set(passages.map(({ id }) => id))
  return { passages, gone: ids.filter((id) => !found.has(id)) }
}

/** First passages, which are the observations themselves, and further ones. */
const passagesWhere = (
  { accountId, spaceId }: Scope,
  isFirst: RawBuilder<unknown>,
  isFurther: RawBuilder<unknown>,
) => sql<WaitingPassage>`select * from (
    select first.id, first.id as "observationId", 0 as part, first.since from observations as first
    where first.account_id = ${accountId} and first.space_id = ${spaceId} and ${isFirst}
  ) as firsts
  union all
  select * from (
    select p.id, p.observation_id, p.part, o.since from passages as p
    join observations as o on o.account_id = ${accountId} and o.space_id = ${spaceId} and o.id = p.observation_id
    where p.account_id = ${accountId} and p.space_id = ${spaceId} and ${isFurther}
  ) as further`

/** Records the progress of an embedder in a space; returns false if the embedder is retired. */
export async function setProgress(
  db: Db,
  embedder: number,
  scope: Scope,
  embeddedTo: number,
): Promise<boolean> {
  const known = await db
    .selectFrom('embedders')
    .select('identity')
    .where('number', '=', embedder)
    .modifyEnd(dialectOf(db).forUpdate)
    .executeTakeFirst()
  if (known === undefined || known.identity === String(embedder)) return false
  const key = { account_id: scope.accountId, space_id: scope.spaceId, embedder }
  await db
    .insertInto('vector_spaces')
    .values({ ...key, embedded_to: embeddedTo })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'space_id', 'embedder']).doUpdateSet({ embedded_to: embeddedTo }),
    )
    .execute()
  return true
}

/** Deletes other embedders' vectors of passages with ids above `above` up to `upTo`. */
export async function deleteOthers(
  db: Db,
  embedder: number,
  scope: Scope,
  range: { above: number; upTo: number },
): Promise<void> {
  await vectorsIn(db, scope, range).where('embedder', '<>', embedder).execute()
  await db
    .deleteFrom('vector_spaces')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('embedder', '<>', embedder)
    .execute()
}

/** Deletes retired embedders' vectors of these passages. */
export async function deleteRetired(
  db: Db,
  scope: Scope,
  range: { above: number; upTo: number },
): Promise<void> {
  await vectorsIn(db, scope, range)
    .where('embedder', 'in', (eb) =>
      eb.selectFrom('embedders').select('number').whereRef('identity', '=', sql`cast(number as text)`),
    )
    .execute()
}

const vectorsIn = (db: Db, scope: Scope, { above, upTo }: { above: number; upTo: number }) =>
  db
    .deleteFrom('vectors')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('passage_id', '>', above)
    .where('passage_id', '<=', upTo)
