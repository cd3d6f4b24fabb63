import { breathe } from '../../ground/lib/pace.ts'
import { type IndexedText, indexNames, indexText } from '../../search/analyse/index-text.ts'
import type { ImportUnit } from './read-units.ts'

/** The set of seen words is reset at this size, so a large file does not fill the memory. */
const toldWordsMax = 200_000

/**
 * Adds the index entries of a unit's texts to it, one unit after another. This takes longer than storing them, and
 * needs no transaction; other work runs in between. Most words are included once, with the first text that contains them.
 */
export function createPreparation(): (unit: ImportUnit) => Promise<void> {
  let told = new Set<string>()
  const withoutTold = ({ passages, words }: IndexedText): IndexedText => ({
    passages,
    words: words.flatMap(({ surface, term }) => (told.has(surface) ? [] : [{ surface, term }])),
  })
  return async ({ entity, observations }) => {
    if (told.size > toldWordsMax) told = new Set()
    // Which aliases are free is known only in the transaction; and nothing is stored for an existing entity.
    if (entity !== undefined && entity.aliases === undefined) {
      entity.indexed = withoutTold(indexNames({ ...entity, type: entity.entityType }))
    }
    for (const item of observations?.items ?? []) {
      await breathe()
      item.indexed = withoutTold(indexText(item.content, item.metadata))
      // Observations outside their entity's line can lack an entity, and are then not stored.
      if (entity !== undefined) for (const { surface } of item.indexed.words) told.add(surface)
    }
  }
}
