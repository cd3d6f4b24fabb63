import { createPace } from '../../ground/lib/pace.ts'
import type { Dialect } from '../../store/dialect.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { toPassageTexts } from '../analyse/passages.ts'
import { listFurtherPassages } from '../store/passages.repo.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import { listChangedTexts, listTexts } from '../store/space-texts.repo.ts'
import { createSpaceVectors, type SpaceVectors } from './space-vectors.ts'
import { toTextVector } from './word-vectors.ts'

/** Comparing a passage takes 0.15 microseconds: larger spaces have none. */
const passagesPerSpaceMax = 10_000
/** Of all spaces together; a passage takes 72 bytes, and up to twice that where a list has just grown. */
const passagesMax = 200_000
/** Larger spaces are read in the background: a text takes some 20 microseconds. */
const passagesWaitedFor = 2_000
const textsPerRead = 500
/** After more changes the space is read again. */
const changesMax = 500

/** The vectors of a space as of change `seq`. */
type Kept = { vectors: SpaceVectors; seq: number }
type Memory = { spaces: Map<string, Kept>; loading: Map<string, Promise<void>> }

const memories = new WeakMap<Dialect, Memory>()

function memoryOf(dialect: Dialect): Memory {
  let memory = memories.get(dialect)
  if (memory === undefined) {
    memory = { spaces: new Map(), loading: new Map() }
    memories.set(dialect, memory)
  }
  return memory
}

const keyOf = ({ accountId, spaceId }: Scope) => `${accountId} ${spaceId}`

/**
 * The vectors of a space, kept in memory and current by its change log, whichever process changes it. Undefined if the
 * space is too large or still being read, and in transactions, which see changes that may never be committed.
 */
export async function readSpaceVectors(ctx: Context, space: IndexedSpace): Promise<SpaceVectors | undefined> {
  if (space.passages > passagesPerSpaceMax || ctx.db.isTransaction) return undefined
  const memory = memoryOf(ctx.dialect)
  const key = keyOf(space)
  for (;;) {
    const kept = memory.spaces.get(key)
    if (kept === undefined) {
      if (!(await load(ctx, memory, space))) return undefined
      continue
    }
    // A snapshot may be older. Passages that it lacks are not found in it either.
    if (kept.seq >= space.seq) return use(memory, key, kept)
    if (!(await catchUp(ctx, memory, space, kept))) memory.spaces.delete(key)
  }
}

/** Moves to the end what was used last. */
function use({ spaces }: Memory, key: string, kept: Kept): SpaceVectors {
  spaces.delete(key)
  spaces.set(key, kept)
  return kept.vectors
}

/** False if the log no longer tells all, or too much. */
async function catchUp(ctx: Context, memory: Memory, space: IndexedSpace, kept: Kept): Promise<boolean> {
  const { seq } = kept
  if (space.seq - seq > changesMax) return false
  const changed = await listChangedTexts(ctx.db, space, { above: seq, upTo: space.seq })
  const texts = new Map(changed.map(({ id, content }) => [id, content]))
  const current = [...texts].flatMap(([id, content]) => (content === null ? [] : [{ id, content }]))
  const passages = await toVectors(ctx, space, current)
  // Another search was faster, or the space was forgotten.
  if (kept.seq !== seq || memory.spaces.get(keyOf(space)) !== kept) return true
  if (changed.length !== space.seq - seq) return false
  for (const id of texts.keys()) kept.vectors.deleteOf(id)
  for (const passage of passages) kept.vectors.add(passage)
  kept.seq = space.seq
  return true
}

/** Reads a space; false if that goes on in the background. */
async function load(ctx: Context, memory: Memory, space: IndexedSpace): Promise<boolean> {
  const key = keyOf(space)
  let loading = memory.loading.get(key)
  if (loading === undefined) {
    loading = readAll(ctx, space)
      .then((vectors) => {
        memory.spaces.set(key, { vectors, seq: space.seq })
        forgetOldest(memory)
      })
      .finally(() => memory.loading.delete(key))
    memory.loading.set(key, loading)
  }
  if (space.passages <= passagesWaitedFor) return loading.then(() => memory.spaces.has(key))
  loading.catch((error) => ctx.log.warn({ err: error }, 'the meanings of a space could not be read'))
  return false
}

/** What changes meanwhile is read again as changes after the number at which this began. */
async function readAll(ctx: Context, space: IndexedSpace): Promise<SpaceVectors> {
  const vectors = createSpaceVectors()
  for (let after = 0; ; ) {
    const texts = await listTexts(ctx.db, space, { after, limit: textsPerRead })
    for (const passage of await toVectors(ctx, space, texts)) vectors.add(passage)
    if (texts.length < textsPerRead) return vectors
    after = texts.at(-1)!.id
  }
}

type Text = { id: number; content: string }

/** Passages without a known word are left out. */
async function toVectors({ db }: Context, space: IndexedSpace, texts: readonly Text[]) {
  const ids = texts.map(({ id }) => id)
  const further = space.hasFurther ? await listFurtherPassages(db, space, ids) : []
  const furtherOf = Map.groupBy(further, ({ observationId }) => observationId)
  const pace = createPace()
  const passages: { id: number; observationId: number; vector: Int8Array }[] = []
  for (const { id: observationId, content } of texts) {
    await pace()
    const others = furtherOf.get(observationId) ?? []
    const parts = others.length === 0 ? [content] : toPassageTexts(content)
    for (const { id, part } of [{ id: observationId, part: 0 }, ...others]) {
      const vector = toTextVector(parts[part] ?? '')
      if (vector !== undefined) passages.push({ id, observationId, vector })
    }
  }
  return passages
}

function forgetOldest({ spaces }: Memory): void {
  let kept = 0
  for (const { vectors } of spaces.values()) kept += vectors.size
  for (const [key, { vectors }] of spaces) {
    if (kept <= passagesMax) return
    kept -= vectors.size
    spaces.delete(key)
  }
}
