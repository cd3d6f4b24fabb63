import { pagesById } from '../../ground/lib/all-pages.ts'
import { outsideSlot } from '../../ground/lib/call-queue.ts'
import { textChunksOf } from '../../ground/lib/chunks.ts'
import { createFairSlots } from '../../ground/lib/fair-slots.ts'
import { breathe } from '../../ground/lib/pace.ts'
import {
  listObservationTexts,
  listObservationTextsAfter,
  type ObservationText,
} from '../../rows/observation-texts.repo.ts'
import { charactersMin, indexInThread } from '../../search/analyse/analyse-in-thread.ts'
import { type IndexedText, indexNames } from '../../search/analyse/index-text.ts'
import { postingsOf } from '../../search/store/posting-lists.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { type Steps, sortSteps } from './row-changes.ts'
import { charactersPerJob } from './store-entities.ts'
import { type AnalysedTexts, toEntityToIndex, toObservationToIndex } from './to-index.ts'

type Text = Pick<ObservationText, 'id' | 'content' | 'metadata'>
type Analysed = Text & { indexed: IndexedText }

const rowsPerPage = 1_000
/** What is kept until the write takes several times as much memory. The write itself analyses further texts. */
const charactersMax = 16_000_000
/** The same for the names of entities. */
const namesMax = 50_000

/**
 * Analyses the observations of entities that are about to be deleted in another thread, before the write begins, so
 * that other writers do not wait for it. A few short texts are left to the write, and so is everything if its
 * transaction has begun.
 */
export async function analyseStored(
  db: Db,
  scope: Scope,
  entities: readonly number[],
): Promise<AnalysedTexts> {
  const analysed = new Map<number, Analysed>()
  const analyseAll = async () => {
    for await (const job of jobsOf(db, scope, entities)) await analyseJob(analysed, job, wantedToRemove(db))
  }
  if (!db.isTransaction && (await isWorthwhile(db, scope, entities))) await besideCalls(scope, analyseAll)
  return toAnalysed(analysed)
}

const turns = createFairSlots<number>({ atOnce: Number.POSITIVE_INFINITY, perKeyMax: 1 })

/**
 * Prepares a write while other calls of the account go on. An account prepares one at a time, since rows and analysed
 * texts can take much memory.
 */
export const besideCalls = <T>({ accountId }: Pick<Scope, 'accountId'>, work: () => Promise<T>): Promise<T> =>
  outsideSlot(() => turns.run(accountId, work))

/** Analyses what steps remove from the index and return to it; long texts in another thread. */
export async function analyseSteps(db: Db, { entities, observations }: Steps): Promise<AnalysedTexts> {
  const names = new Map<object, IndexedText>()
  for (const { after } of entities) {
    if (after === undefined || names.size === namesMax) continue
    await breathe()
    names.set(after, indexNames(toEntityToIndex(after)))
  }
  const analysed = new Map<number, Analysed>()
  const { coming, going } = sortSteps(observations)
  let left = charactersMax
  const analyseAll = async (rows: readonly Text[], wanted: typeof everything) => {
    for (const job of textChunksOf(rows, charactersPerJob)) {
      left -= charactersOf(job)
      if (left >= 0) await analyseJob(analysed, job, wanted)
    }
  }
  if (charactersOf(coming) + charactersOf(going) >= charactersMin) {
    await analyseAll(coming, everything)
    await analyseAll(going, wantedToRemove(db))
  }
  return { ...toAnalysed(analysed), names }
}

const everything = { words: true, terms: true }
const wantedToRemove = (db: Db) => ({ words: false, terms: postingsOf(dialectOf(db)).removesByTerms })

async function analyseJob(
  analysed: Map<number, Analysed>,
  job: readonly Text[],
  wanted: typeof everything,
): Promise<void> {
  const texts = job.map((row) => toObservationToIndex(row))
  const answers = await indexInThread(texts, wanted)
  for (const [i, { id, content, metadata }] of job.entries())
    analysed.set(id, { id, content, metadata, indexed: answers[i]! })
}

const toAnalysed = (analysed: ReadonlyMap<number, Analysed>): AnalysedTexts => ({
  find({ id, content, metadata }) {
    const known = analysed.get(id)
    return known?.content === content && known.metadata === metadata ? known.indexed : undefined
  },
})

const charactersOf = (rows: readonly Text[]) => rows.reduce((sum, { content }) => sum + content.length, 0)

async function isWorthwhile(db: Db, scope: Scope, entities: readonly number[]): Promise<boolean> {
  if (entities.length === 0) return false
  const rows = await listObservationTexts(db, scope, entities, rowsPerPage)
  return rows.length === rowsPerPage || charactersOf(rows) >= charactersMin
}

async function* jobsOf(
  db: Db,
  scope: Scope,
  entities: readonly number[],
): AsyncGenerator<ObservationText[], void> {
  let left = charactersMax
  for (const entity of entities) {
    for await (const rows of pagesOf(db, scope, entity)) {
      left -= charactersOf(rows)
      if (left < 0) return
      yield* textChunksOf(rows, charactersPerJob)
    }
  }
}

const pagesOf = (db: Db, scope: Scope, entity: number) =>
  pagesById(
    rowsPerPage,
    (page) => listObservationTextsAfter(db, scope, { entity, ...page }),
    ({ id }) => id,
  )
