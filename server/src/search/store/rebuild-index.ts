import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { minuteMs, secondMs } from '../../ground/lib/time.ts'
import { reserveIds } from '../../rows/counters.repo.ts'
import type { Db } from '../../store/db.ts'
import { createLease } from '../../tenancy/leases/lease.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { gramTermsOf } from '../analyse/vocabulary.ts'
import { indexNewEntities, indexObservations, settleIndex } from './index-graph.ts'
import { type Index, postingsOf } from './posting-lists.ts'
import type { RenewalOptions } from './rebuild-turn-index.ts'
import { rebuildTurnIndex } from './rebuild-turn-index.ts'
import { forgetTexts, repostTerms } from './repost.ts'
import {
  listEntitiesToIndex,
  listObservationsToIndex,
  listOutdatedSpaces,
  type Page,
} from './rows-to-index.repo.ts'
import {
  addToIndexedSpace,
  beginRenewal,
  continueRenewal,
  endRenewal,
  type IndexDelta,
  indexVersion,
} from './search-index.repo.ts'
import type { IndexWrite } from './store-passages.ts'
import { listOutdatedTurnIndexes } from './turn-index.repo.ts'
import { forgetProgress } from './vector-gaps.repo.ts'
import { listWords } from './words.repo.ts'

const defaultRowsPerStep = 1_000
const spacesPerPage = 100
const leaseName = 'search-index'
const leaseMs = minuteMs

/**
 * Rebuilds the search index of a space from its rows, in bounded steps between which others can write.
 * The row of the space tells writers which rows are not indexed yet; writers skip those and index newer
 * ones themselves. If a process ends before the last step, the rebuild starts again.
 */
export async function rebuildIndex(
  index: Index,
  scope: Scope,
  { onStep = async () => {}, rowsPerStep = defaultRowsPerStep }: RenewalOptions = {},
): Promise<void> {
  const step = <T>(work: (write: IndexWrite) => Promise<T>) => inStep(index, scope, work)
  const upTo = await step((write) => begin(write, scope))
  while (await step(({ db, dialect }) => postingsOf(dialect).clear(db, scope, upTo))) await onStep(0)
  for (let after = 0; after < upTo; ) {
    const page = { after, upTo, limit: rowsPerStep }
    const { to, rows } = await step((write) => indexPage(write, scope, page))
    after = to
    await onStep(rows)
  }
  await step(({ db }) => endRenewal(db, scope))
}

async function begin({ db, takeIds }: IndexWrite, scope: Scope): Promise<number> {
  const upTo = await takeIds(1)
  await beginRenewal(db, scope, upTo)
  await forgetProgress(db, scope)
  return upTo
}

/** One transaction under the account's lock, or part of the current transaction if there is one. */
function inStep<T>(
  { db, dialect }: Index,
  scope: Scope,
  work: (write: IndexWrite) => Promise<T>,
): Promise<T> {
  const run = async (tx: Db) => {
    const takeIds = (count: number) => reserveIds(tx, scope.accountId, count)
    // Locks the account.
    await takeIds(0)
    const addToIndex = (delta: IndexDelta) => addToIndexedSpace(tx, scope, delta)
    return work({ db: tx, dialect, takeIds, addToIndex, renews: true })
  }
  return db.isTransaction ? run(db) : dialect.transaction(db, run)
}

/**
 * Indexes words, entities and observations in ascending order of number; returns the last number
 * reached and the count.
 */
async function indexPage(write: IndexWrite, scope: Scope, page: Page): Promise<{ to: number; rows: number }> {
  const { db } = write
  const words = await listWords(db, scope, page)
  const entities = await listEntitiesToIndex(db, scope, page)
  const observations = await listObservationsToIndex(db, scope, page)
  const lasts = [words, entities, observations].map((rows) =>
    rows.length < page.limit ? page.upTo : rows.at(-1)!.id,
  )
  const to = Math.min(...lasts)
  const isInPage = ({ id }: { id: number }) => id <= to
  const vocabulary = words.filter(isInPage)
  await repostTerms(
    write,
    scope,
    vocabulary.map(({ id, word }) => ({ id, terms: gramTermsOf(word) })),
  )
  const known = entities.filter(isInPage)
  const texts = observations.filter(isInPage)
  const names = known.map(({ id }) => ({ id, terms: '' }))
  await repostTerms(write, scope, names)
  const numbers = await forgetTexts(
    write,
    scope,
    texts.map(({ id }) => id),
  )
  await indexNewEntities(write, scope, known, [])
  await indexObservations({ ...write, numbers }, scope, texts)
  await continueRenewal(db, scope, to)
  return { to, rows: vocabulary.length + known.length + texts.length }
}

/**
 * Rebuilds indexes made by an older analyser, space by space; only needed after an update of the
 * program. Questions and stored texts must be analysed alike, so nothing is served before. One process
 * does the work and others wait. `onRows` receives the number of words, entities and observations
 * indexed.
 */
export async function renewIndexes(
  { db, dialect }: Index,
  log: Logger,
  now: () => number = Date.now,
  onRows: (count: number) => void = () => {},
): Promise<void> {
  const lease = createLease({ db, now }, leaseName, leaseMs)
  for (;;) {
    const outdated = await listOutdatedSpaces(db, indexVersion, spacesPerPage)
    const ofTurns = await listOutdatedTurnIndexes(db, indexVersion, spacesPerPage)
    if (outdated.length + ofTurns.length === 0) break
    if (!(await lease.hold())) {
      await sleep(secondMs)
      continue
    }
    log.info(
      { spaces: Math.max(outdated.length, ofTurns.length) },
      'the search index is being rebuilt after an update',
    )
    const onStep = async (rows: number) => {
      onRows(rows)
      await lease.hold()
    }
    for (const scope of outdated) await rebuildIndex({ db, dialect }, scope, { onStep })
    for (const scope of ofTurns) await rebuildTurnIndex({ db, dialect }, scope, { onStep })
    await settleIndex({ db, dialect })
    await lease.release()
  }
}
