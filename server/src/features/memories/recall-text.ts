import { inLines, shownName } from '../../ground/lib/for-models.ts'
import { entityInLine, relationInLine } from './in-line.ts'
import type { RecalledEntity } from './recall-entities.ts'
import type { RecalledFact } from './recall-facts.ts'
import type { Recalled } from './recall-memories.ts'
import { turnInLines } from './recall-turns.ts'

/**
 * The answer as text, in the order of the structured form. Each observation is a paragraph that begins with its id, a
 * standing rule with those words before it;
 * relations and entities begin with "- ", turns with "(said) ", and further lines of a stored text with "> ".
 */
export function toText({ total, ...recalled }: Recalled): string {
  const paragraphs = {
    rules: recalled.rules?.map((rule) => `(standing rule) ${toParagraph(rule)}`),
    observations: recalled.observations?.map(toParagraph),
    relations: recalled.relations?.map((relation) => `- ${relationInLine(relation)}`).join('\n'),
    entities: recalled.entities?.map(toLine).join('\n'),
    said: recalled.said?.map(turnInLines),
  }
  return Object.keys(recalled)
    .flatMap((key) => paragraphs[key as keyof typeof paragraphs] ?? [])
    .join('\n\n')
}

function toParagraph(fact: RecalledFact): string {
  const { id, entity, content, createdAt, by, source, stale, before = [], after = [] } = fact
  const author = by === undefined ? '' : `, by ${by}`
  const from = source === undefined ? '' : `, from ${source}`
  const remark = stale === undefined ? '' : `, may be outdated: ${stale}`
  return [
    `[${id}] ${entityInLine(entity)}, ${createdAt}${timesOf(fact)}${remark}${author}${from}: ${inLines(content)}`,
    ...before.map((text) => `  (before) ${inLines(text)}`),
    ...after.map((text) => `  (after) ${inLines(text)}`),
  ].join('\n')
}

/** When it was true, and what came after it. */
function timesOf({ at, until, replacedBy, newer }: RecalledFact): string {
  const times = { at, until, 'replaced by': replacedBy, newer: replacedBy === undefined ? newer : undefined }
  return Object.entries(times)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `, ${name}${name === 'newer' ? ':' : ''} ${value}`)
    .join('')
}

function toLine({ metadata, ...entity }: RecalledEntity): string {
  const line = `- ${entityInLine(entity)}`
  return metadata === undefined ? line : `${line} ${shownName(JSON.stringify(metadata))}`
}
