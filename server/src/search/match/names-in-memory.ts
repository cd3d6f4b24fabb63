import { pagesById } from '../../ground/lib/all-pages.ts'
import { createPace } from '../../ground/lib/pace.ts'
import type { Dialect } from '../../store/dialect.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { analyseName } from '../analyse/analyser.ts'
import { termsOfNameWord } from '../analyse/passages.ts'
import { editDistance, gramsOf, isVocabularyWord } from '../analyse/vocabulary.ts'
import type { EntityLabel } from '../store/index-rows.ts'
import { createKeptSpaces } from '../store/kept-spaces.ts'
import { pickHeaviest } from '../store/posting-lists.ts'
import { findNameChanges, listAllNames, type NamedEntityRow } from '../store/space-names.repo.ts'
import { sortByShared } from '../store/words.repo.ts'
import { inverseFrequency } from './weights.ts'

/** Spaces with more entities are asked through the stored index. */
const entitiesPerSpaceMax = 20_000
/** Of all spaces together; an entity takes about a kilobyte. */
const entitiesMax = 30_000
/** Larger spaces are read in the background: analysing a name takes some 20 microseconds. */
const entitiesWaitedFor = 500
const entitiesPerRead = 500
/** After more changes the space is read again. */
const changesMax = 500

/** The names of a space as of change `seq`. */
type Kept = { names: NameIndex; seq: number; readonly size: number }

const spaces = createKeptSpaces<Kept>(entitiesMax)

/**
 * The names of a space as they are now or, if `since` is given, at that change or later, which takes no statement if
 * this process knows them. Otherwise one statement says what has changed, whoever changed it. Undefined if the space is
 * too large or still being read, and in transactions and older snapshots.
 */
export async function readSpaceNames(
  ctx: Context,
  scope: Scope,
  since?: number,
): Promise<NameIndex | undefined> {
  for (;;) {
    const known = since === undefined ? undefined : knownSpaceNames(ctx.dialect, scope, since)
    if (known !== undefined) return known
    const kept = spaces.find(ctx.dialect, scope)
    // It sees changes that may never be committed.
    if (ctx.db.isTransaction) return undefined
    const asked = kept?.seq ?? Number.MAX_SAFE_INTEGER
    const changed = await findNameChanges(ctx.db, scope, { after: asked, limit: changesMax + 1 })
    if (changed === undefined) return undefined
    if (kept === undefined) {
      if (changed.entities > entitiesPerSpaceMax) return undefined
      const { seq, entities } = changed
      const read = async () => toKept(await readAll(ctx, scope), seq)
      const isWaitedFor = entities <= entitiesWaitedFor
      if (!(await spaces.load(ctx, scope, { read, isWaitedFor, what: 'the names of a space' })))
        return undefined
      continue
    }
    // Another reader or a write of this process was faster.
    if (kept.seq !== asked || spaces.find(ctx.dialect, scope) !== kept) continue
    if (changed.seq < asked) return undefined
    if (changed.subjects.length === changed.seq - asked) {
      for (const { id, row } of changed.subjects)
        row === undefined ? kept.names.delete(id) : kept.names.set(row)
      kept.seq = changed.seq
      return kept.names
    }
    spaces.forget(ctx.dialect, scope)
  }
}

/** The same, only if this process knows them as of that change or later. */
export function knownSpaceNames(dialect: Dialect, scope: Scope, since: number): NameIndex | undefined {
  const kept = spaces.find(dialect, scope)
  return kept !== undefined && kept.seq >= since ? kept.names : undefined
}

const toKept = (names: NameIndex, seq: number): Kept => ({
  names,
  seq,
  get size() {
    return names.size
  },
})

/** What changes meanwhile is read again as changes after the number at which this began. */
async function readAll({ db }: Context, scope: Scope): Promise<NameIndex> {
  const names = createNameIndex()
  const pace = createPace()
  const pages = pagesById(
    entitiesPerRead,
    (page) => listAllNames(db, scope, page),
    ({ id }) => id,
  )
  for await (const rows of pages) {
    for (const row of rows) {
      await pace()
      names.set(row)
    }
  }
  return names
}

/** Adds what a committed write of this process has named; its changes are those after `from` up to `to`. */
export function noteNames(
  dialect: Dialect,
  scope: Scope,
  { from, to, named }: { from: number; to: number; named: readonly NamedEntityRow[] },
): void {
  const kept = spaces.find(dialect, scope)
  if (kept?.seq !== from) return
  for (const entity of named) kept.names.set(entity)
  kept.seq = to
}

/** The entities of a space by the words of their names and aliases. */
export type NameIndex = {
  readonly size: number
  /** Adds an entity, or replaces what was known of it. */
  set: (entity: NamedEntityRow) => void
  delete: (id: number) => void
  /** The entity with this name or alias. */
  named: (name: string) => EntityLabel | undefined
  /**
   * The entities whose names share most with a name, including misspelt words and compounds, at most `limit`, in order
   * of creation.
   */
  find: (name: string, limit: number) => EntityLabel[]
}

/** For each word, the newest names that contain it. */
const namesPerTerm = 100
const correctedWordsMax = 5
const correctedLengthMin = 4
/** In shorter words a second wrong letter makes a different word. */
const twoEditsLengthMin = 8
const correctionsMax = 3
const compoundPartMin = 5
const partsMax = 20

/** `letters` has a bit for each letter: words that differ in many are not compared. */
type Word = { word: string; term: string; letters: number }
type Entry = { label: EntityLabel; names: readonly string[]; terms: ReadonlySet<string> }

export function createNameIndex(): NameIndex {
  const entities = new Map<number, Entry>()
  const idOf = new Map<string, number>()
  /** Numbers of entities by term, ascending. */
  const idsOf = new Map<string, number[]>()
  /** By written form. A word stays when its last name goes. */
  const words = new Map<string, Word>()

  function remove(id: number): void {
    const { names = [], terms = [] } = entities.get(id) ?? {}
    for (const name of names) if (idOf.get(name) === id) idOf.delete(name)
    for (const term of terms) {
      const left = idsOf.get(term)!.filter((other) => other !== id)
      if (left.length === 0) idsOf.delete(term)
      else idsOf.set(term, left)
    }
    entities.delete(id)
  }

  function correct(written: string): string[] {
    const letters = lettersIn(written)
    const near = new Map<string, number>()
    const parts: string[] = []
    for (const one of words.values()) {
      const edits = editsBetween(one, { word: written, letters })
      if (edits !== undefined) near.set(one.word, edits)
      else if (isPartOf(one, { word: written, letters })) parts.push(one.word)
    }
    const grams = gramsOf(written)
    const found =
      near.size > 0
        ? sortByShared([...near.keys()], grams).sort((a, b) => near.get(a)! - near.get(b)!)
        : sortByShared(parts, grams)
    const terms = new Set(found.map((word) => words.get(word)!.term))
    return [...terms].slice(0, near.size > 0 ? correctionsMax : partsMax)
  }

  return {
    get size() {
      return entities.size
    },
    set({ id, name, type, aliases }) {
      remove(id)
      const names: string[] = aliases === null ? [name] : [name, ...JSON.parse(aliases)]
      const terms = new Set<string>()
      for (const { tokens, wholes } of names.map(analyseName)) {
        for (const { term } of wholes) terms.add(term)
        for (const token of tokens) {
          for (const term of termsOfNameWord(token)) terms.add(term)
          const { surface: word, term } = token
          if (!words.has(word) && isVocabularyWord(word))
            words.set(word, { word, term, letters: lettersIn(word) })
        }
      }
      entities.set(id, { label: { id, name, type }, names, terms })
      for (const each of names) idOf.set(each, id)
      for (const term of terms) idsOf.set(term, withId(idsOf.get(term) ?? [], id))
    },
    delete: remove,
    named(name) {
      const id = idOf.get(name)
      return id === undefined ? undefined : entities.get(id)?.label
    },
    find(name, limit) {
      let left = correctedWordsMax
      const terms = [...wordsOf(name)].flatMap(([term, word]) => {
        if (idsOf.has(term)) return [term]
        if (left === 0 || word.length < correctedLengthMin || !isVocabularyWord(word)) return []
        left -= 1
        return correct(word)
      })
      const lists = [...new Set(terms)].flatMap((term) => {
        const ids = idsOf.get(term)
        if (ids === undefined) return []
        const weight = inverseFrequency(ids.length, entities.size)
        return [{ ids: Uint32Array.from(ids.slice(-namesPerTerm)), weight }]
      })
      return pickHeaviest(lists, limit)
        .sort((a, b) => a - b)
        .map((id) => entities.get(id)!.label)
    },
  }
}

/** The terms of a name and their written form, including joined compounds ("check-out": "checkout"). */
export function wordsOf(name: string): Map<string, string> {
  const { tokens, wholes } = analyseName(name)
  return new Map([
    ...wholes.map(({ term }): [string, string] => [term, term]),
    ...tokens.map(({ term, surface }): [string, string] => [term, surface]),
  ])
}

function withId(ids: number[], id: number): number[] {
  if (ids.length === 0 || ids.at(-1)! < id) ids.push(id)
  else
    ids.splice(
      ids.findIndex((other) => other > id),
      0,
      id,
    )
  return ids
}

/** Number of wrong letters; undefined for another word. */
function editsBetween(one: Letters, other: Letters): number | undefined {
  const most = Math.max(one.word.length, other.word.length) >= twoEditsLengthMin ? 2 : 1
  if (Math.abs(one.word.length - other.word.length) > most) return undefined
  // An edit exchanges at most one letter for another.
  if (bitsIn(one.letters ^ other.letters) > 2 * most) return undefined
  const edits = editDistance(one.word, other.word, most)
  return edits <= most ? edits : undefined
}

type Letters = Pick<Word, 'word' | 'letters'>

/** Whether one of two words is a part of the other; the stored one must not be a short part. */
function isPartOf(stored: Letters, asked: Letters): boolean {
  if ((asked.letters & ~stored.letters) === 0 && stored.word.includes(asked.word)) return true
  const isLong = stored.word.length >= compoundPartMin
  return isLong && (stored.letters & ~asked.letters) === 0 && asked.word.includes(stored.word)
}

/** Letters of other alphabets share bits, which only makes more words comparable. */
function lettersIn(word: string): number {
  let letters = 0
  for (let i = 0; i < word.length; i += 1) letters |= 1 << (word.charCodeAt(i) & 31)
  return letters
}

function bitsIn(letters: number): number {
  let bits = 0
  for (let left = letters; left !== 0; left &= left - 1) bits += 1
  return bits
}
