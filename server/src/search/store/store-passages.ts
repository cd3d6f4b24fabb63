import { breathe } from '../../ground/lib/pace.ts'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { afterCommit } from '../../store/transact.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { IndexedPassage } from '../analyse/index-text.ts'
import { gramTermsOf } from '../analyse/vocabulary.ts'
import { isMarkDue, setMark } from './index-marks.repo.ts'
import { deletePassages, deleteVectors, insertPassages, listFurtherPassages } from './passages.repo.ts'
import { type Index, postingsOf } from './posting-lists.ts'
import { listTerms, type PostedPassage } from './postings.ts'
import { type IndexDelta, type IndexedBefore, isUnindexed, type Unindexed } from './search-index.repo.ts'
import { noteVectorGaps } from './vector-gaps.repo.ts'
import { findTerms, insertWords, listStoredWords, updateTermOf } from './words.repo.ts'

/** The part of a write that indexing needs. */
export type IndexWrite = Index & {
  /** Takes this many consecutive numbers of the account and returns the first. */
  takeIds: (count: number) => number | Promise<number>
  /** Updates the statistics of the space's index. */
  addToIndex: (delta: IndexDelta) => IndexedBefore | Promise<IndexedBefore>
  /** True during a rebuild; stored words may have terms of an older analyser. */
  renews?: boolean
  /** The numbers of further passages, by observation and part: a rebuild keeps them. */
  numbers?: ReadonlyMap<string, number>
}

/** A passage of an observation, or an entity's names, type and metadata. */
export type NewPassage = IndexedPassage & {
  kind: 'text' | 'name'
  /** Number of the observation or entity. */
  of: number
  /** 0 for the first passage, which has the observation's number; later ones get their own numbers. */
  part: number
}

/** Postings have 32 bits: larger row ids on SQLite would be those of the next account. */
export const idMax = 2 ** 32 - 1

/** Posts passages and adds their words, each with its term, to the vocabulary. */
export async function storePassages(
  write: IndexWrite,
  scope: Scope,
  passages: readonly NewPassage[],
  words: ReadonlyMap<string, string>,
): Promise<void> {
  const { db, dialect, takeIds, renews = false, numbers } = write
  const { accountId: account_id, spaceId: space_id } = scope
  const unknown = listUnknownWords(dialect, scope, words.keys())
  const stored = await listStoredWords(db, scope, unknown)
  rememberWords(db, scope, unknown)
  const fresh = unknown.filter((word) => !stored.has(word))
  const indexed = passages.length + fresh.length
  const space = await write.addToIndex({ indexed, ...countsOf(passages, 1) })
  const kept = renews ? passages : await leaveOut(write, space.unindexed, passages, 1)
  const unnumbered =
    kept.filter((passage) => knownNumber(passage, numbers) === undefined).length + fresh.length
  let nextId = unnumbered === 0 ? 0 : await takeIds(unnumbered)
  const numbered = kept.map((passage) => ({ ...passage, id: knownNumber(passage, numbers) ?? nextId++ }))
  const newWords = fresh.map((word) => ({ account_id, space_id, id: nextId++, word, term: words.get(word)! }))
  if ([...numbered, ...newWords].some(({ id }) => id > idMax))
    throw new Error(`Account ${account_id} has no numbers left`)
  if (renews) await renewTerms(write, scope, words)
  await insertPassages(
    db,
    numbered
      .filter(({ part }) => part > 0)
      .map(({ id, of: observation_id, part }) => ({ account_id, space_id, id, observation_id, part })),
  )
  await insertWords(db, newWords)
  const posted = function* () {
    for (const { id, searched } of numbered) yield { id, terms: searched }
    for (const { id, word } of newWords) yield { id, terms: gramTermsOf(word) }
  }
  await postingsOf(dialect).add(db, scope, posted())
  const next = space.firstOrdinal + indexed
  if (isMarkDue(next, indexed)) await setMark(db, scope, { id: await takeIds(0), ordinal: next })
  const late = numbered.filter(({ id, kind }) => id <= space.embeddedTo && kind === 'text')
  const lateIds = late.map(({ id }) => id)
  if (lateIds.length > 0) await noteVectorGaps(db, scope, lateIds)
}

const knownNumber = ({ of, part }: NewPassage, numbers: IndexWrite['numbers']) =>
  part === 0 ? of : numbers?.get(toPlace(of, part))

/** Key of a further passage in a map. */
export const toPlace = (of: number, part: number) => `${of} ${part}`

/** Undoes the counts of passages that will be indexed later; returns the others. */
async function leaveOut(
  { addToIndex }: IndexWrite,
  unindexed: Unindexed | undefined,
  passages: readonly NewPassage[],
  sign: 1 | -1,
): Promise<readonly NewPassage[]> {
  if (unindexed === undefined) return passages
  const left = passages.filter((passage) => isUnindexed(unindexed, passage.of))
  if (left.length === 0) return passages
  await addToIndex({ indexed: 0, ...countsOf(left, sign === 1 ? -1 : 1) })
  return passages.filter((passage) => !isUnindexed(unindexed, passage.of))
}

async function renewTerms(index: Index, scope: Scope, words: ReadonlyMap<string, string>): Promise<void> {
  for (const [word, stored] of await findTerms(index, scope, [...words.keys()])) {
    const term = words.get(word)!
    if (term !== stored) await updateTermOf(index.db, scope, word, term)
  }
}

/** Removes passages, with all parts of each text, from the index, and their vectors. */
export async function dropPassages(
  write: IndexWrite,
  scope: Scope,
  passages: readonly NewPassage[],
): Promise<void> {
  if (passages.length === 0) return
  const { db, dialect } = write
  const { unindexed } = await write.addToIndex({ indexed: 0, ...countsOf(passages, -1) })
  await leaveOut(write, unindexed, passages, -1)
  const long = passages.filter(({ part }) => part > 0).map(({ of }) => of)
  const further = await listFurtherPassages(db, scope, [...new Set(long)])
  const idOf = new Map(further.map(({ id, observationId, part }) => [toPlace(observationId, part), id]))
  const posted = passages.flatMap(({ of, part, searched }) => {
    const id = part === 0 ? of : idOf.get(toPlace(of, part))
    return id === undefined ? [] : [{ id, terms: searched }]
  })
  await postingsOf(dialect).remove(db, scope, posted)
  await deletePassages(
    db,
    scope,
    further.map(({ id }) => id),
  )
  const texts = passages.filter(({ kind, part }) => kind === 'text' && part === 0).map(({ of }) => of)
  if (texts.length > 0) await deleteVectors(db, scope, [...texts, ...further.map(({ id }) => id)])
}

/** The terms of a passage that keeps its number and length. */
export type ReplacedTerms = { id: number; before: () => string; after: string }

/** Posts passages under different terms. Where removal needs terms, those that a passage keeps are left alone. */
export async function replaceTerms(
  { db, dialect, addToIndex }: IndexWrite,
  scope: Scope,
  replaced: readonly ReplacedTerms[],
): Promise<void> {
  const { unindexed } = await addToIndex({ indexed: 0, passages: 0, length: 0 })
  const postings = postingsOf(dialect)
  const [gone, come]: [PostedPassage[], PostedPassage[]] = [[], []]
  for (const { id, before, after } of replaced) {
    if (isUnindexed(unindexed, id)) continue
    await breathe()
    const [was, is] = postings.removesByTerms ? difference(before(), after) : ['', after]
    gone.push({ id, terms: was })
    come.push({ id, terms: is })
  }
  await postings.remove(db, scope, gone)
  await postings.add(db, scope, come)
}

/** The terms that only one of two passages has. */
function difference(one: string, other: string): [string, string] {
  const [ofOne, ofOther] = [new Set(listTerms(one)), new Set(listTerms(other))]
  return [[...ofOne.difference(ofOther)].join(' '), [...ofOther.difference(ofOne)].join(' ')]
}

/** Names are not counted: the statistics are of observations only. */
function countsOf(passages: readonly Pick<NewPassage, 'kind' | 'length'>[], sign: 1 | -1) {
  const counted = passages.filter(({ kind }) => kind === 'text')
  return {
    passages: sign * counted.length,
    length: sign * counted.reduce((sum, { length }) => sum + length, 0),
  }
}

/** Two generations, each of at most this many words of all spaces; a word takes about 60 bytes. */
const wordsMax = 60_000

type Generation = { words: Map<number, Set<string>>; size: number }
type Memory = { young: Generation; old: Generation }

const spacesPerAccount = 2 ** 21
const keyOf = ({ accountId, spaceId }: Scope) => accountId * spacesPerAccount + spaceId

const emptyGeneration = (): Generation => ({ words: new Map(), size: 0 })
const memories = new WeakMap<Dialect, Memory>()

function memoryOf(dialect: Dialect): Memory {
  let memory = memories.get(dialect)
  if (memory === undefined) {
    memory = { young: emptyGeneration(), old: emptyGeneration() }
    memories.set(dialect, memory)
  }
  return memory
}

/**
 * The words not known to be in the vocabulary of a space. Words leave a vocabulary with their space, or when the last
 * text with them is erased; another process may then leave out such a word, which costs a correction of its spelling.
 */
function listUnknownWords(dialect: Dialect, scope: Scope, words: Iterable<string>): string[] {
  const memory = memoryOf(dialect)
  const space = keyOf(scope)
  const old = memory.old.words.get(space)
  const unknown: string[] = []
  for (const word of words) {
    if (memory.young.words.get(space)?.has(word)) continue
    if (old?.has(word)) keep(memory, space, word)
    else unknown.push(word)
  }
  return unknown
}

/** Remembers words of a space's vocabulary once the transaction that read or stored them has committed. */
function rememberWords(tx: Db, scope: Scope, words: readonly string[]): void {
  const space = keyOf(scope)
  afterCommit(tx, () => {
    const memory = memoryOf(dialectOf(tx))
    for (const word of words) keep(memory, space, word)
  })
}

/** Forgets words that leave the vocabulary with this transaction. */
export function forgetRememberedWords(tx: Db, scope: Scope, words: readonly string[]): void {
  const space = keyOf(scope)
  afterCommit(tx, () => {
    const { young, old } = memoryOf(dialectOf(tx))
    for (const { words: known } of [young, old]) for (const word of words) known.get(space)?.delete(word)
  })
}

function keep(memory: Memory, space: number, word: string): void {
  if (memory.young.size >= wordsMax) {
    memory.old = memory.young
    memory.young = emptyGeneration()
  }
  const { young } = memory
  let known = young.words.get(space)
  if (known === undefined) {
    known = new Set()
    young.words.set(space, known)
  }
  if (known.has(word)) return
  known.add(word)
  young.size += 1
}
