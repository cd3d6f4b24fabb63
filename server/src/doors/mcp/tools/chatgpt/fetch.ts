import type { EntityWithObservations } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import { ListRelationsQuery, type Relation } from '@loci/contract/relations'
import { z } from 'zod'
import { getEntity } from '../../../../features/entities/entities.service.ts'
import { relationInLine } from '../../../../features/memories/in-line.ts'
import { findOtherWriters } from '../../../../features/memories/other-writers.ts'
import { listRelations } from '../../../../features/relations/relations.service.ts'
import { inLines, shownName } from '../../../../ground/lib/for-models.ts'
import { defineTool, reads } from '../../tool.ts'
import { pageOf } from './page-of.ts'

/** About 5,000 tokens: the newest facts of a long memory. */
const factsMax = 20_000
const relationsMax = '100'

/** With the name and form that ChatGPT uses to open a search result. */
export const fetchTool = defineTool({
  name: 'fetch',
  title: 'Open memory',
  description: 'Read what is remembered about an entity that `search` found: its observations and relations.',
  input: z.object({ id: z.string().max(128).describe('An id of `search`') }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.string()).optional(),
  }),
  annotations: reads,
  right: 'memory:read',
  operation: 'query',
  resource: 'entity',
  async run(ctx, actor, { id }) {
    const { entity } = await getEntity(ctx, actor, id)
    const { relations } = await listRelations(
      ctx,
      actor,
      ListRelationsQuery.parse({ entityId: id, limit: relationsMax }),
    )
    const { name: title, type, updatedAt } = entity
    const facts = takeFacts(entity)
    const writers = await findOtherWriters(
      ctx,
      actor,
      facts.map((fact) => fact.id),
    )
    const left = entity.observations.length - facts.length
    const lines = [
      ...(left === 0 ? [] : [`(${left} older observations are left out)`]),
      ...facts.map((fact) => toLine(fact, writers.get(fact.id))),
    ]
    const text = [lines.join('\n'), relationsOf(relations)].filter((part) => part !== '').join('\n\n')
    const metadata = { type: shownName(type), updatedAt }
    return { structured: { id, title, text, url: pageOf(ctx, actor, id), metadata } }
  },
})

/** Oldest first; if they do not all fit, the newest. */
function takeFacts({ observations }: EntityWithObservations): Observation[] {
  let length = 0
  const left = observations.findLastIndex((fact) => {
    length += toLine(fact).length
    return length > factsMax
  })
  return observations.slice(left + 1)
}

/** A fact begins with its day; its further lines are marked. */
function toLine({ createdAt, content }: Observation, by?: string): string {
  return `- ${createdAt.slice(0, 10)}${by === undefined ? '' : `, by ${by}`}: ${inLines(content)}`
}

const relationsOf = (relations: readonly Relation[]) =>
  relations
    .map(({ fromEntity, relationType, toEntity }) =>
      relationInLine({ from: fromEntity.name, relationType, to: toEntity.name }),
    )
    .map((line) => `- ${line}`)
    .join('\n')
