import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { type Recall, toQuestionKey, toRecall } from '../../tenancy/usage/recalls.repo.ts'

export type RecallsWanted = {
  /** Only those of this person. */
  userId: string | undefined
  found?: boolean | undefined
  /** An agent's name, or the id of a key, a connection or a person. */
  by?: string | undefined
  /** An id, exclusive. */
  before?: string | undefined
  /** Milliseconds, inclusive. */
  since: number
  limit: number
}

/** Newest first. */
export async function listRecallRows(
  db: Db,
  scope: Scope,
  { userId, found, by, before, since, limit }: RecallsWanted,
): Promise<Recall[]> {
  const rows = await db
    .selectFrom('recalls')
    .selectAll()
    .where(isIn(scope))
    .where('at', '>=', since)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .$if(found !== undefined, (query) => query.where('found', '=', found ? 1 : 0))
    .$if(by !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb('client', '=', by!), eb('actor_ref', '=', by!), eb('user_id', '=', by!)]),
      ),
    )
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRecall)
}

export async function findRecallRow(db: Db, scope: Scope, id: string): Promise<Recall | undefined> {
  const row = await db
    .selectFrom('recalls')
    .selectAll()
    .where(isIn(scope))
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toRecall(row)
}

/** For each of these questions, as `toQuestionKey` has them, the id of the last recall that found something. */
export async function findLastAnswers(
  db: Db,
  scope: Scope,
  asked: readonly string[],
): Promise<Map<string, string>> {
  if (asked.length === 0) return new Map()
  const rows = await db
    .selectFrom('recalls')
    .select(['asked', (eb) => eb.fn.max('id').as('last')])
    .where(isIn(scope))
    .where(dialectOf(db).isOneOf('asked', asked))
    .where('found', '=', 1)
    .groupBy('asked')
    .execute()
  return new Map(rows.map(({ asked, last }) => [asked, last]))
}

/** Deletes the recalls of a question, of one person only if given. */
export async function deleteRecallsOf(
  db: Db,
  scope: Scope,
  { question, userId }: { question: string; userId: string | undefined },
): Promise<void> {
  await db
    .deleteFrom('recalls')
    .where(isIn(scope))
    .where('asked', '=', toQuestionKey(question))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .execute()
}

/** Recalls of a space are kept from a time on, and at most so many. */
type Kept = { before: number; max: number }

/** The spaces after `after` and up to `upTo` that have more. */
export async function listSpacesOfOldRecalls(
  db: Db,
  { after, upTo }: { after: Scope; upTo: Scope },
  { before, max }: Kept,
): Promise<Scope[]> {
  return db
    .selectFrom('recalls')
    .select(['account_id as accountId', 'space_id as spaceId'])
    .where((eb) => eb(eb.refTuple('account_id', 'space_id'), '>', eb.tuple(after.accountId, after.spaceId)))
    .where((eb) => eb(eb.refTuple('account_id', 'space_id'), '<=', eb.tuple(upTo.accountId, upTo.spaceId)))
    .groupBy(['account_id', 'space_id'])
    .having((eb) => eb.or([eb(eb.fn.min('at'), '<', before), eb(eb.fn.countAll<number>(), '>', max)]))
    .execute()
}

/** Deletes the recalls of a space from before a time, and the oldest beyond `max`. */
export async function deleteOldRecalls(db: Db, scope: Scope, { before, max }: Kept): Promise<void> {
  const ofSpace = () => db.deleteFrom('recalls').where(isIn(scope))
  await ofSpace().where('at', '<', before).execute()
  const oldestKept = await db
    .selectFrom('recalls')
    .select('id')
    .where(isIn(scope))
    .orderBy('id', 'desc')
    .limit(1)
    .offset(max - 1)
    .executeTakeFirst()
  if (oldestKept !== undefined) await ofSpace().where('id', '<', oldestKept.id).execute()
}

/** How many recalls there were since a time, and how many of them found nothing. */
export async function countRecalls(
  db: Db,
  scope: Scope,
  { userId, since }: Pick<RecallsWanted, 'userId' | 'since'>,
): Promise<{ times: number; notFound: number }> {
  const row = await db
    .selectFrom('recalls')
    .select((eb) => [eb.fn.countAll<number>().as('times'), eb.fn.sum<number | null>('found').as('answered')])
    .where(isIn(scope))
    .where('at', '>=', since)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .executeTakeFirstOrThrow()
  const times = Number(row.times)
  return { times, notFound: times - Number(row.answered ?? 0) }
}
