import { entityInLine } from './in-line.ts'
import { type FactsOfEntity, toForm } from './recall-form.ts'
import type { Recalled } from './recalled.ts'

/**
 * The answer as text, in the order of the structured form. The facts of an entity are a paragraph below its name, each
 * with its id; a standing rule has those words before it;
 * relations and entities begin with "- ", turns with "(said) ", and further lines of a stored text with "> ".
 */
export function toText(recalled: Recalled): string {
  const { rules, facts, relations, entities, said } = toForm(recalled)
  const listed = (lines: string[] | undefined) => lines?.map((line) => `- ${line}`).join('\n')
  const paragraphs = {
    rules: rules?.map((rule) => `(standing rule) ${rule}`),
    observations: facts?.map(toParagraph),
    relations: listed(relations),
    entities: listed(entities),
    said,
    total: [],
  }
  return Object.keys(recalled)
    .flatMap((key) => paragraphs[key as keyof Recalled] ?? [])
    .join('\n\n')
}

const toParagraph = ({ entity, type, day, facts }: FactsOfEntity): string => {
  const heading = entityInLine({ name: entity, entityType: type })
  return [`${heading}${day === undefined ? '' : `, ${day}`}:`, ...facts.map(indented)].join('\n')
}

/** What stands around a fact is indented. */
const indented = (line: string) => (line.startsWith('(') ? `  ${line}` : line)
