import { type IndexedText, indexNames, indexText } from '../../search-index/index-text.ts'
import type { Unit } from './read-units.ts'

/** Words are told anew now and then, so that those of a large file do not fill the memory. */
const toldWordsMax = 200_000

/**
 * Makes what adds to one unit after the other what the index takes of its texts. That takes longer than to store them,
 * and needs no transaction. Most words are told once, with the first text that has them.
 */
export function createPreparation(): (unit: Unit) => void {
  let told = new Set<string>()
  const withoutTold = ({ passages, words }: IndexedText): IndexedText => ({
    passages,
    words: words.flatMap(({ surface, term }) => (told.has(surface) ? [] : [{ surface, term }])),
  })
  return ({ entity, observations }) => {
    if (told.size > toldWordsMax) told = new Set()
    // Which aliases are free turns out in the transaction; and of an entity that exists nothing is stored.
    if (entity !== undefined && entity.aliases === undefined) {
      entity.indexed = withoutTold(indexNames({ ...entity, type: entity.entityType }))
    }
    for (const item of observations?.items ?? []) {
      item.indexed = withoutTold(indexText(item.content, item.metadata))
      // What stands elsewhere than in the line of its entity may belong to none, and is not stored then.
      if (entity !== undefined) for (const { surface } of item.indexed.words) told.add(surface)
    }
  }
}
