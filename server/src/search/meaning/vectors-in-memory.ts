import { pagesById } from '../../ground/lib/all-pages.ts'
import { createPace } from '../../ground/lib/pace.ts'
import type { Context } from '../../tenancy/context.ts'
import { passageTextsOf } from '../analyse/analyse-in-thread.ts'
import { createKeptSpaces } from '../store/kept-spaces.ts'
import { listFurtherPassages } from '../store/passages.repo.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import { listAllNames } from '../store/space-names.repo.ts'
import { listChangedTexts, listTexts } from '../store/space-texts.repo.ts'
import { createSpaceVectors, type PassageVector, type SpaceVectors } from './space-vectors.ts'
import { dimensions, type Meant, toMeant } from './word-vectors.ts'

/** Comparing a passage takes 0.3 microseconds: larger spaces have none. */
const passagesPerSpaceMax = 10_000
/** Of all spaces together; a passage takes 290 bytes, and up to 130 more where a list has just grown. */
const passagesMax = 100_000
/** Larger spaces are read in the background: a text takes some 20 microseconds. */
const passagesWaitedFor = 2_000
const textsPerRead = 500
/** After more changes the space is read again. */
const changesMax = 500

/** The vectors of a space as of change `seq`. */
type Kept = { vectors: SpaceVectors; seq: number; readonly size: number }

const spaces = createKeptSpaces<Kept>(passagesMax)

/**
 * The vectors of a space, kept in memory and current by its change log, whichever process changes it. Undefined if the
 * space is too large or still being read, and in transactions, which see changes that may never be committed.
 */
export async function readSpaceVectors(ctx: Context, space: IndexedSpace): Promise<SpaceVectors | undefined> {
  if (space.passages > passagesPerSpaceMax || ctx.db.isTransaction) return undefined
  const isWaitedFor = space.passages <= passagesWaitedFor
  const read = async () => toKept(await readAll(ctx, space), space.seq)
  for (;;) {
    const kept = spaces.find(ctx.dialect, space)
    if (kept === undefined) {
      if (!(await spaces.load(ctx, space, { read, isWaitedFor, what: 'the meanings of a space' })))
        return undefined
      continue
    }
    // A snapshot may be older. Passages that it lacks are not found in it either.
    if (kept.seq >= space.seq) return kept.vectors
    if (!(await catchUp(ctx, space, kept))) spaces.forget(ctx.dialect, space)
  }
}

const toKept = (vectors: SpaceVectors, seq: number): Kept => ({
  vectors,
  seq,
  get size() {
    return vectors.size
  },
})

/** False if the log no longer tells all, or too much. */
async function catchUp(ctx: Context, space: IndexedSpace, kept: Kept): Promise<boolean> {
  const { seq } = kept
  if (space.seq - seq > changesMax) return false
  const changed = await listChangedTexts(ctx.db, space, { above: seq, upTo: space.seq })
  const subjects = new Map(changed.map((subject) => [subject.id, subject]))
  const current = [...subjects.values()].flatMap(({ id, entityId, content }) =>
    content === null || entityId === null ? [] : [{ id, entityId, content }],
  )
  const passages = await toVectors(ctx, space, current)
  // Another search was faster, or the space was forgotten.
  if (kept.seq !== seq || spaces.find(ctx.dialect, space) !== kept) return true
  if (changed.length !== space.seq - seq) return false
  for (const { id, name, type } of subjects.values()) {
    kept.vectors.deleteOf(id)
    kept.vectors.name(id, name === null ? undefined : toMeant(`${name} ${type}`))
  }
  for (const passage of passages) kept.vectors.add(passage)
  kept.seq = space.seq
  return true
}

/** What changes meanwhile is read again as changes after the number at which this began. */
async function readAll(ctx: Context, space: IndexedSpace): Promise<SpaceVectors> {
  const vectors = createSpaceVectors()
  const idOf = ({ id }: { id: number }) => id
  const entityPages = pagesById(textsPerRead, (page) => listAllNames(ctx.db, space, page), idOf)
  for await (const entities of entityPages)
    for (const { id, name, type } of entities) vectors.name(id, toMeant(`${name} ${type}`))
  for await (const texts of pagesById(textsPerRead, (page) => listTexts(ctx.db, space, page), idOf))
    for (const passage of await toVectors(ctx, space, texts)) vectors.add(passage)
  return vectors
}

type Text = { id: number; entityId: number; content: string }

/** A passage without a known word is like nothing, and the name of its entity alone counts. */
const unknown: Meant = { vector: new Int8Array(dimensions), words: '' }

async function toVectors({ db }: Context, space: IndexedSpace, texts: readonly Text[]) {
  const ids = texts.map(({ id }) => id)
  const further = space.hasFurther ? await listFurtherPassages(db, space, ids) : []
  const furtherOf = Map.groupBy(further, ({ observationId }) => observationId)
  const pace = createPace()
  const passages: PassageVector[] = []
  for (const { id: observationId, entityId, content } of texts) {
    const others = furtherOf.get(observationId) ?? []
    const parts = others.length === 0 ? [content] : await passageTextsOf(content)
    for (const { id, part } of [{ id: observationId, part: 0 }, ...others]) {
      await pace()
      const meant = toMeant(parts[part] ?? '') ?? unknown
      passages.push({ id, observationId, entityId, ...meant })
    }
  }
  return passages
}
