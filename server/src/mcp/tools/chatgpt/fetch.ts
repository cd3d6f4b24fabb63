import type { EntityWithObservations } from '@loci/contract/entities'
import { ListRelationsQuery, type Relation } from '@loci/contract/relations'
import { z } from 'zod'
import { getEntity } from '../../../features/entities/entities.service.ts'
import { listRelations } from '../../../features/relations/relations.service.ts'
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
    const text = [factsOf(entity), relationsOf(relations)].filter((part) => part !== '').join('\n\n')
    return { structured: { id, title, text, url: pageOf(ctx, actor, id), metadata: { type, updatedAt } } }
  },
})

/** One fact per line with its day, oldest first; if they do not all fit, the newest. */
function factsOf({ observations }: EntityWithObservations): string {
  const lines: string[] = []
  let length = 0
  for (const { createdAt, content } of observations.toReversed()) {
    const line = `${createdAt.slice(0, 10)}: ${content}`
    length += line.length
    if (length > factsMax) {
      const left = observations.length - lines.length
      return [`(${left} older observations are left out)`, ...lines.toReversed()].join('\n')
    }
    lines.push(line)
  }
  return lines.toReversed().join('\n')
}

const relationsOf = (relations: readonly Relation[]) =>
  relations
    .map(({ fromEntity, relationType, toEntity }) => `${fromEntity.name} ${relationType} ${toEntity.name}`)
    .join('\n')
