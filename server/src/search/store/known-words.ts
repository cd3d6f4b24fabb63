import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { afterCommit } from '../../store/transact.ts'
import type { Scope } from '../../tenancy/scope.ts'

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
 * The words not known to be in the vocabulary of a space. The cache cannot become wrong through other
 * processes: words leave a vocabulary only with their space.
 */
export function listUnknownWords(dialect: Dialect, scope: Scope, words: Iterable<string>): string[] {
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
export function rememberWords(tx: Db, scope: Scope, words: readonly string[]): void {
  const space = keyOf(scope)
  afterCommit(tx, () => {
    const memory = memoryOf(dialectOf(tx))
    for (const word of words) keep(memory, space, word)
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
