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
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { type Step, sortSteps } from './row-changes.ts'
import { charactersPerJob } from './store-entities.ts'
import { type AnalysedTexts, toObservationToIndex } from './to-index.ts'
import { type GraphWrite, writeGraph } from './write-graph.ts'

type Text = Pick<ObservationText, 'id' | 'content' | 'metadata'>
type Analysed = Text & { indexed: IndexedText }

const rowsPerPage = 1_000
/** What is kept until the write takes several times as much memory. The write itself analyses further texts. */
const charactersMax = 16_000_000
/** A write that applies steps analyses so many itself: a few hundredths of a second. */
const charactersPerWrite = 64_000

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
  if (!db.isTransaction && (await isWorthwhile(db, scope, entities))) {
    for await (const job of jobsOf(db, scope, entities)) await analyseJob(analysed, job, wantedToRemove(db))
  }
  return toAnalysed(analysed)
}

/**
 * Runs a write that applies steps. If those have much text to analyse, it ends before its first change and runs again
 * once another thread has analysed that, so that other writers do not wait for it.
 */
export async function writeAnalysed<T>(
  ctx: Context,
  actor: Actor,
  work: (write: GraphWrite, analysed?: AnalysedTexts) => Promise<T>,
): Promise<T> {
  if (ctx.db.isTransaction) return writeGraph(ctx, actor, (write) => work(write))
  try {
    return await writeGraph(ctx, actor, (write) => work(write, nothingYet))
  } catch (error) {
    if (!(error instanceof MuchToAnalyse)) throw error
    const analysed = await analyseSteps(ctx.db, error.steps)
    return writeGraph(ctx, actor, (write) => work(write, analysed))
  }
}

class MuchToAnalyse extends Error {
  readonly steps: readonly Step<'observations'>[]
  constructor(steps: readonly Step<'observations'>[]) {
    super('Long texts are analysed before the write')
    this.steps = steps
  }
}

const nothingYet: AnalysedTexts = {
  find: () => undefined,
  require(steps) {
    const { coming, going } = sortSteps(steps)
    if (charactersOf(coming) + charactersOf(going) > charactersPerWrite) throw new MuchToAnalyse(steps)
  },
}

async function analyseSteps(db: Db, steps: readonly Step<'observations'>[]): Promise<AnalysedTexts> {
  const analysed = new Map<number, Analysed>()
  const { coming, going } = sortSteps(steps)
  let left = charactersMax
  for (const [rows, wanted] of [
    [coming, everything],
    [going, wantedToRemove(db)],
  ] as const) {
    for (const job of textChunksOf(rows, charactersPerJob)) {
      left -= charactersOf(job)
      if (left >= 0) await analyseJob(analysed, job, wanted)
    }
  }
  return toAnalysed(analysed)
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
  require() {},
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
