import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import { reserveIds } from '../graph/counters.repo.ts'
import { releaseLease, takeLease } from '../leases/leases.repo.ts'
import { minuteMs, secondMs } from '../lib/time.ts'
import type { Scope } from '../scope.ts'
import { indexNewEntities, indexObservations, settleIndex } from './index-graph.ts'
import { listNamePassages, listPassagesOf } from './passages.repo.ts'
import type { Index } from './posting-lists.ts'
import { removePassagesSlice } from './remove-index.ts'
import {
  listEntitiesToIndex,
  listObservationsToIndex,
  listOutdatedSpaces,
  type Page,
} from './rows-to-index.repo.ts'
import { addToIndexedSpace, type IndexDelta, indexVersion, setIndexVersion } from './search-index.repo.ts'
import type { IndexWrite } from './store-passages.ts'
import { gramTermsOf } from './vocabulary.ts'
import { listWords } from './words.repo.ts'

const rowsPerStep = 1_000
const spacesPerPage = 100
const leaseName = 'search-index'
const leaseMs = minuteMs

/**
 * Makes the search index of a space anew from its rows, in steps of bounded size between which others write. What has
 * no index yet is found by nobody meanwhile. The version of the index is set last: a program that ends before begins
 * again.
 */
export async function indexAnew(index: Index, scope: Scope, onStep = async () => {}): Promise<void> {
  const step = <T>(work: (write: IndexWrite) => Promise<T>) => inStep(index, scope, work)
  // Newer things are indexed by whoever writes them.
  const upTo = await step(async ({ takeIds }) => takeIds(1))
  const slice = { upTo, limit: rowsPerStep }
  while (await step((write) => removePassagesSlice(write, scope, slice))) await onStep()
  for (const work of [repostWords, indexEntities, indexTexts]) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: Page = { after, ...slice }
      after = await step((write) => work(write, scope, page))
      await onStep()
    }
  }
  await step(({ db }) => setIndexVersion(db, scope, indexVersion))
}

/** One transaction under the account's lock; a part of the one that is under way, if there is one. */
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
    return work({ db: tx, dialect, takeIds, addToIndex, renewsTerms: true })
  }
  return db.isTransaction ? run(db) : dialect.transaction(db, run)
}

/** These answer the number of the last row of a page. Words keep theirs: they leave a vocabulary only with their space. */
async function repostWords({ db, dialect }: IndexWrite, scope: Scope, page: Page) {
  const words = await listWords(db, scope, page)
  const posted = words.map(({ id, word }) => ({ id, terms: gramTermsOf(word) }))
  await dialect.postings.remove(db, scope, posted)
  await dialect.postings.add(db, scope, posted)
  return words.at(-1)?.id
}

async function indexEntities(write: IndexWrite, scope: Scope, page: Page) {
  const entities = await listEntitiesToIndex(write.db, scope, page)
  const ids = entities.map(({ id }) => id)
  const known = new Set((await listNamePassages(write.db, write.dialect, scope, ids)).map(({ id }) => id))
  const unknown = entities.filter(({ id }) => !known.has(id))
  await indexNewEntities(write, scope, unknown, [])
  return ids.at(-1)
}

async function indexTexts(write: IndexWrite, scope: Scope, page: Page) {
  const observations = await listObservationsToIndex(write.db, scope, page)
  const ids = observations.map(({ id }) => id)
  const passages = await listPassagesOf(write.db, write.dialect, scope, 'observation_id', ids)
  const known = new Set(passages.map((passage) => passage.observation_id))
  const unknown = observations.filter(({ id }) => !known.has(id))
  await indexObservations(write, scope, unknown)
  return ids.at(-1)
}

/**
 * Makes anew what an older analyser indexed, space by space; nothing to do but after an update of the program. A
 * question is analysed like the texts it is to find, so nothing is served before. One process does it, others wait.
 */
export async function renewIndexes(
  { db, dialect }: Index,
  log: Logger,
  now: () => number = Date.now,
): Promise<void> {
  const holder = randomUUID()
  const holdLease = () => takeLease(db, leaseName, holder, { now: now(), expiresAt: now() + leaseMs })
  for (;;) {
    const outdated = await listOutdatedSpaces(db, indexVersion, spacesPerPage)
    if (outdated.length === 0) break
    if (!(await holdLease())) {
      await sleep(secondMs)
      continue
    }
    log.info({ spaces: outdated.length }, 'the search index is being rebuilt after an update')
    for (const scope of outdated)
      await indexAnew({ db, dialect }, scope, async () => void (await holdLease()))
    await settleIndex({ db, dialect })
    await releaseLease(db, leaseName, holder)
  }
}
