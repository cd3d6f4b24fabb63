import { rankedPassages } from '../../search-index/index-text.ts'
import type { ReadPassage } from '../../search-index/read-passages.ts'

/** Two generations, each of texts of at most so many characters; their terms take about as much again. */
const charactersMax = 3_000_000

let young = new Map<string, ReadPassage[]>()
let old = new Map<string, ReadPassage[]>()
let characters = 0

/** The passages of an observation, as terms. Texts that were read lately are not analysed again. */
export function readText(content: string, metadata: string | null): readonly ReadPassage[] {
  const key = metadata === null ? content : `${content}\n${metadata}`
  const known = young.get(key)
  if (known !== undefined) return known
  const passages =
    old.get(key) ?? rankedPassages(content, metadata === null ? undefined : JSON.parse(metadata))
  keep(key, passages)
  return passages
}

function keep(key: string, passages: ReadPassage[]): void {
  if (characters + key.length > charactersMax) {
    old = young
    young = new Map()
    characters = 0
  }
  young.set(key, passages)
  characters += key.length
}
