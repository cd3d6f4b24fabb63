import type { KeptUnderstanding, RecallReason } from '@loci/contract/recalls'
import type { Selectable } from 'kysely'
import { toNumber } from '../../ground/lib/ids.ts'
import type { Db } from '../../store/db.ts'
import type { RecallsTable } from '../../store/schema.ts'
import type { Caller } from '../auth/actor.ts'
import { isIn } from '../scope.repo.ts'
import type { Scope } from '../scope.ts'

/** An observation of an answer, by its public id. */
export type ToldRow = { observationId: string; reason: RecallReason; tokens: number }

/** A question that an agent asked of a space, and what it was told. */
export type Recall = {
  id: string
  at: number
  kind: Caller['kind']
  /** Id of the API key, the connection or the person. */
  ref: string
  userId: string
  client: string | null
  question: string
  understood: KeptUnderstanding
  found: boolean
  told: ToldRow[]
  /** Found and not told, best first. */
  missed: ToldRow[]
  /** Ids of the entities in the answer, best first. */
  entities: string[]
  tokens: number
  /** The length asked for; 0 if there was no bound. */
  maxTokens: number
  ms: number
}

const rowsPerInsert = 100

/** Stores recalls of a space, and counts what was told, if it still exists, and keeps and counts them. */
export async function storeRecalls(
  db: Db,
  scope: Scope,
  { recalls, told }: { recalls: readonly Recall[]; told: readonly string[] },
): Promise<void> {
  const space = await db
    .selectFrom('spaces')
    .select(['keeps_recalls', 'counts_told_since'])
    .where(isIn(scope))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (space === undefined) return
  if (space.counts_told_since !== null) await countTold(db, scope, told)
  if (space.keeps_recalls === 0) return
  for (let first = 0; first < recalls.length; first += rowsPerInsert) {
    const rows = recalls.slice(first, first + rowsPerInsert).map((recall) => toRow(scope, recall))
    await db.insertInto('recalls').values(rows).execute()
  }
}

/** Adds to the counts of the facts that were told. */
async function countTold(db: Db, { accountId, spaceId }: Scope, told: readonly string[]): Promise<void> {
  const times = new Map<number, number>()
  for (const id of told) {
    const number = toNumber('obs', id)
    if (number !== undefined) times.set(number, (times.get(number) ?? 0) + 1)
  }
  const rows = [...times]
    .sort(([one], [other]) => one - other)
    .map(([observation_id, count]) => ({
      ...{ account_id: accountId, space_id: spaceId },
      ...{ observation_id, times: count },
    }))
  for (let first = 0; first < rows.length; first += rowsPerInsert)
    await db
      .insertInto('told_facts')
      .values(rows.slice(first, first + rowsPerInsert))
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'space_id', 'observation_id'])
          .doUpdateSet((eb) => ({ times: eb('told_facts.times', '+', eb.ref('excluded.times')) })),
      )
      .execute()
}

const toRow = ({ accountId, spaceId }: Scope, recall: Recall): Selectable<RecallsTable> => ({
  account_id: accountId,
  space_id: spaceId,
  id: recall.id,
  at: recall.at,
  actor_kind: recall.kind,
  actor_ref: recall.ref,
  user_id: recall.userId,
  client: recall.client,
  question: recall.question,
  asked: toQuestionKey(recall.question),
  understood: JSON.stringify(recall.understood),
  found: recall.found ? 1 : 0,
  rows_told: JSON.stringify(recall.told.map(toCells)),
  rows_missed: JSON.stringify(recall.missed.map(toCells)),
  entities: JSON.stringify(recall.entities),
  tokens: recall.tokens,
  tokens_max: recall.maxTokens,
  ms: recall.ms,
})

const toCells = ({ observationId, reason, tokens }: ToldRow) => [observationId, reason, tokens]

export function toRecall(row: Selectable<RecallsTable>): Recall {
  return {
    id: row.id,
    at: row.at,
    kind: row.actor_kind as Caller['kind'],
    ref: row.actor_ref,
    userId: row.user_id,
    client: row.client,
    question: row.question,
    understood: JSON.parse(row.understood),
    found: row.found === 1,
    told: readCells(row.rows_told),
    missed: readCells(row.rows_missed),
    entities: JSON.parse(row.entities),
    tokens: row.tokens,
    maxTokens: row.tokens_max,
    ms: row.ms,
  }
}

const readCells = (json: string): ToldRow[] =>
  (JSON.parse(json) as [string, RecallReason, number][]).map(([observationId, reason, tokens]) => ({
    observationId,
    reason,
    tokens,
  }))

const askedMax = 200

/** The same for questions that differ only in case, spaces and punctuation. */
export function toQuestionKey(question: string): string {
  const words =
    question
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.join(' ').slice(0, askedMax).toWellFormed()
}

/** The last recalls of a space, newest first. */
export async function listLastRecalls(db: Db, scope: Scope, limit: number): Promise<Recall[]> {
  const rows = await db
    .selectFrom('recalls')
    .selectAll()
    .where(isIn(scope))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRecall)
}

/** Recalls of a space in the order of their ids, after `after`. */
export async function listRecallsAfter(
  db: Db,
  scope: Scope,
  { after, limit }: { after: string; limit: number },
): Promise<Recall[]> {
  const rows = await db
    .selectFrom('recalls')
    .selectAll()
    .where(isIn(scope))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toRecall)
}

export async function deleteRecallRow(db: Db, scope: Scope, id: string): Promise<void> {
  await db.deleteFrom('recalls').where(isIn(scope)).where('id', '=', id).execute()
}

export async function deleteAllRecalls(db: Db, scope: Scope): Promise<void> {
  await db.deleteFrom('recalls').where(isIn(scope)).execute()
}
