import type { Entity } from '@loci/contract/entities'
import { plainText } from '../../ui/markdown/plain-text.ts'

/** Name, type, foot, borders and the space between them (entity-card.module.css). */
const bareHeight = 116
const lineHeight = 19
const factGap = 4
const metadataHeight = 22
const linesMax = 2
/** Left and right of the text, with the border. */
const sidesWidth = 34
/** Fills more than two lines, yet is far below the maximum length of an observation. */
const factLengthShown = 300

/** The height of an entity's card of a width, in pixels: known before it is drawn, so that lists can scroll to it. */
export function cardHeight(entity: Entity, width: number): number {
  const lines = factsOf(entity).map(({ text }) => linesOf(text, width - sidesWidth))
  const facts = lines.reduce((sum, count) => sum + count * lineHeight + factGap, 0)
  return bareHeight + facts + (Object.keys(entity.metadata).length > 0 ? metadataHeight : 0)
}

type Fact = { id: string; text: string }
/** Lists ask for all of their entities again with each page. */
const facts = new WeakMap<Entity, Fact[]>()

/** The newest observations as a card shows them. */
export function factsOf(entity: Entity): Fact[] {
  const known = facts.get(entity)
  if (known) return known
  const newestFirst = (entity.observations ?? []).toReversed()
  const shown = newestFirst.map(({ id, content }) => ({ id, text: plainText(content, factLengthShown) }))
  facts.set(entity, shown)
  return shown
}

function linesOf(text: string, width: number): number {
  let taken = 0
  for (const character of text) {
    taken += widthOf(character)
    if (taken > width) return linesMax
  }
  return 1
}

/** Rather too wide, so that nothing is cut off: in the font of 13 pixels, and full-width characters. */
function widthOf(character: string): number {
  if (character >= '\u1100') return 14
  return /[a-z .,:;'|()[\]/-]/.test(character) ? 7 : 9
}
