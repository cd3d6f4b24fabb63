import { hashText } from '../../ground/lib/hash-text.ts'
import { createSharedKeys, type SharedKeys } from '../../ground/lib/shared-keys.ts'
import { foldName } from '../../search/analyse/name-letters.ts'
import type { FactWords } from './fact-words.rules.ts'
import type { HealthFact } from './health-source.ts'
import { tellingStems } from './same-fact.rules.ts'

/** Pairs of facts that could be compared, found by what they share, in little memory. */
export type FactKeys = {
  add: (fact: HealthFact, words: FactWords) => void
  /** Numbers of facts of one entity with the same letters. */
  copies: () => AsyncGenerator<number[], void>
  /** Numbers of facts of different entities with the same letters. */
  elsewhere: () => AsyncGenerator<number[], void>
  /** Numbers of two facts of one entity that share most of their telling words. */
  pairs: () => AsyncGenerator<[number, number], void>
}

/** A key that more facts share says nothing. */
const sharedMax = 12
const copiesMax = 500
const wordsPaired = 5
const wordsKept = 8
const shortMax = 3
const elsewhereMin = 40
const factsPerBlock = 2 ** 14
const pairsMax = 500_000

export function createFactKeys(): FactKeys {
  const [exact, other, close] = [createSharedKeys(), createSharedKeys(), createSharedKeys()]
  const numbers: Uint32Array[] = []
  const marks: Uint32Array[] = []
  let size = 0

  function add({ number, entity, content }: HealthFact, words: FactWords): void {
    const letters = lettersOfFact(content)
    const at = size
    size += 1
    const place = at % factsPerBlock
    if (place === 0) {
      numbers.push(new Uint32Array(factsPerBlock))
      marks.push(new Uint32Array(factsPerBlock * wordsKept))
    }
    numbers.at(-1)![place] = number
    exact.add(`${entity} ${letters}`, at)
    if (letters.length >= elsewhereMin) other.add(letters, at)
    const stems = [...new Set(tellingStems(words))]
    for (const [i, stem] of stems.slice(0, wordsKept).entries())
      marks.at(-1)![place * wordsKept + i] = hash(stem)
    for (const key of keysOfFact(words, stems)) close.add(`${entity} ${key}`, at)
  }

  const numberAt = (at: number) => numbers[Math.floor(at / factsPerBlock)]![at % factsPerBlock]!
  const marksAt = (at: number) => {
    const begin = (at % factsPerBlock) * wordsKept
    return marks[Math.floor(at / factsPerBlock)]!.subarray(begin, begin + wordsKept).filter(
      (mark) => mark !== 0,
    )
  }

  async function* groupsOf(keys: SharedKeys, sizeMax: number): AsyncGenerator<number[], void> {
    for await (const group of keys.groups(sizeMax)) yield group.map(numberAt)
  }

  async function* pairs(): AsyncGenerator<[number, number], void> {
    const seen = new Set<number>()
    for await (const group of close.groups(sharedMax)) {
      for (const [i, b] of group.entries())
        for (const a of group.slice(0, i)) {
          const key = a * 2 ** 26 + b
          if (seen.has(key) || !areNear(marksAt(a), marksAt(b))) continue
          if (seen.size >= pairsMax) return
          seen.add(key)
          yield [numberAt(a), numberAt(b)]
        }
    }
  }

  return { add, copies: () => groupsOf(exact, copiesMax), elsewhere: () => groupsOf(other, sharedMax), pairs }
}

const ignored = /[^\p{L}\p{N}+#]+/gu
/** What is equal in texts that differ only in capitals, spaces and punctuation. */
export const lettersOfFact = (content: string): string => foldName(content).replaceAll(ignored, ' ').trim()

/** Two of the first words; in a short fact also one. Numbers and days are not what facts share. */
function keysOfFact({ words }: FactWords, stems: readonly string[]): string[] {
  const values = new Set(words.flatMap(({ kind, text }) => (kind === undefined ? [] : [text])))
  const kept = stems.filter((stem) => !values.has(stem)).slice(0, wordsPaired)
  const keys = kept.length <= shortMax ? kept.slice(0, 2) : []
  for (const [i, second] of kept.entries())
    for (const first of kept.slice(0, i))
      keys.push(first < second ? `${first} ${second}` : `${second} ${first}`)
  return keys
}

/** At least half of the shorter one's words are shared. */
function areNear(a: Uint32Array, b: Uint32Array): boolean {
  let shared = 0
  for (const mark of a) if (b.includes(mark)) shared += 1
  return shared > 0 && shared * 2 >= Math.min(a.length, b.length) - 1
}

/** Never 0. */
const hash = (text: string) => hashText(text) || 1
