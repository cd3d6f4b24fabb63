import { pagesById } from '../../ground/lib/all-pages.ts'
import { textChunksOf } from '../../ground/lib/chunks.ts'
import {
  listObservationTexts,
  listObservationTextsAfter,
  type ObservationText,
} from '../../rows/observation-texts.repo.ts'
import { charactersMin, indexInThread } from '../../search/analyse/analyse-in-thread.ts'
import type { IndexedText } from '../../search/analyse/index-text.ts'
import { postingsOf } from '../../search/store/posting-lists.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { charactersPerJob } from './store-entities.ts'
import { type AnalysedTexts, toObservationToIndex } from './to-index.ts'

type Analysed = Pick<ObservationText, 'content' | 'metadata'> & { indexed: IndexedText }

const rowsPerPage = 1_000
/** What is kept until the write takes several times as much memory. The write itself analyses further texts. */
const charactersMax = 16_000_000

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
  const wanted = { words: false, terms: postingsOf(dialectOf(db)).removesByTerms }
  if (!db.isTransaction && (await isWorthwhile(db, scope, entities))) {
    for await (const job of jobsOf(db, scope, entities)) {
      const texts = job.map((row) => toObservationToIndex(row))
      const answers = await indexInThread(texts, wanted)
      for (const [i, { id, content, metadata }] of job.entries())
        analysed.set(id, { content, metadata, indexed: answers[i]! })
    }
  }
  return {
    find({ id, content, metadata }) {
      const known = analysed.get(id)
      return known?.content === content && known.metadata === metadata ? known.indexed : undefined
    },
  }
}

const charactersOf = (rows: readonly ObservationText[]) =>
  rows.reduce((sum, { content }) => sum + content.length, 0)

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
