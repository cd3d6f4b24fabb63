import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { gramTermsOf } from '../analyse/vocabulary.ts'
import { indexTurns, toTurnIndexWrite } from './index-turns.ts'
import { type Index, postingsOf } from './posting-lists.ts'
import { forgetTexts, repostTerms } from './repost.ts'
import type { Page } from './rows-to-index.repo.ts'
import type { IndexWrite } from './store-passages.ts'
import { beginTurnRenewal, continueTurnRenewal, endTurnRenewal } from './turn-index.repo.ts'
import { turnScopeOf } from './turn-scope.ts'
import { listTurnsToIndex } from './turn-texts.repo.ts'
import { listWords } from './words.repo.ts'

export type RenewalOptions = {
  /**
   * Called between two steps with the number of words, entities and observations that the last one
   * indexed.
   */
  onStep?: (rows: number) => Promise<void>
  rowsPerStep?: number
}

/** Rebuilds the index of a space's turns from their rows, step by step, as `rebuildIndex` does that of its graph. */
export async function rebuildTurnIndex(
  index: Index,
  scope: Scope,
  { onStep = async () => {}, rowsPerStep = 200 }: RenewalOptions = {},
): Promise<void> {
  const step = <T>(work: (write: IndexWrite) => Promise<T>) => inStep(index, scope, work)
  const upTo = await step(async ({ db, takeIds, addToIndex }) => {
    const last = await takeIds(1)
    await addToIndex({ indexed: 0, passages: 0, length: 0 })
    await beginTurnRenewal(db, scope, last)
    return last
  })
  const clear = ({ db, dialect }: IndexWrite) => postingsOf(dialect).clear(db, turnScopeOf(scope), upTo)
  while (await step(clear)) await onStep(0)
  for (let after = 0; after < upTo; ) {
    const page = { after, upTo, limit: rowsPerStep }
    const { to, rows } = await step((write) => indexPage(write, scope, page))
    after = to
    await onStep(rows)
  }
  await step(({ db }) => endTurnRenewal(db, scope))
}

/** One transaction under the account's lock, or part of the current transaction if there is one. */
function inStep<T>(
  { db, dialect }: Index,
  scope: Scope,
  work: (write: IndexWrite) => Promise<T>,
): Promise<T> {
  const run = async (tx: Db) => {
    const write = toTurnIndexWrite({ db: tx, dialect }, scope)
    // Locks the account.
    await write.takeIds(0)
    return work(write)
  }
  return db.isTransaction ? run(db) : dialect.transaction(db, run)
}

/** Indexes words and turns in ascending order of number; returns the last number reached and the count. */
async function indexPage(write: IndexWrite, scope: Scope, page: Page): Promise<{ to: number; rows: number }> {
  const { db } = write
  const index = turnScopeOf(scope)
  const words = await listWords(db, index, page)
  const turns = await listTurnsToIndex(db, scope, page)
  const lasts = [words, turns].map((rows) => (rows.length < page.limit ? page.upTo : rows.at(-1)!.id))
  const to = Math.min(...lasts)
  const vocabulary = words.filter(({ id }) => id <= to)
  await repostTerms(
    write,
    index,
    vocabulary.map(({ id, word }) => ({ id, terms: gramTermsOf(word) })),
  )
  const texts = turns.filter(({ id }) => id <= to)
  const ids = texts.map(({ id }) => id)
  const numbers = await forgetTexts(write, index, ids)
  await indexTurns(write, scope, texts, { renews: true, numbers })
  await continueTurnRenewal(db, scope, to)
  return { to, rows: vocabulary.length + texts.length }
}
