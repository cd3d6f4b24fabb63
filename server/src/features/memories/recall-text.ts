import type { RecalledEntity } from './recall-entities.ts'
import type { RecalledFact } from './recall-facts.ts'
import type { Recalled } from './recall-memories.ts'

/** The answer as text, in the order of the structured form: one observation per paragraph, neighbours indented. */
export function toText({ total, ...recalled }: Recalled): string {
  const paragraphs = {
    observations: recalled.observations?.map(toParagraph),
    relations: recalled.relations
      ?.map(({ from, relationType, to }) => `${from} ${relationType} ${to}`)
      .join('\n'),
    entities: recalled.entities?.map(toLine).join('\n'),
  }
  return Object.keys(recalled)
    .flatMap((key) => paragraphs[key as keyof typeof paragraphs] ?? [])
    .join('\n\n')
}

const toParagraph = ({ id, entity, content, createdAt, before = [], after = [] }: RecalledFact) =>
  [
    ...before.map((text) => `    (before) ${text}`),
    `${entity.name} (${entity.entityType}), ${createdAt}: ${content} [${id}]`,
    ...after.map((text) => `    (after) ${text}`),
  ].join('\n')

const toLine = ({ name, entityType, metadata }: RecalledEntity) =>
  `${name} (${entityType})${metadata === undefined ? '' : ` ${JSON.stringify(metadata)}`}`
