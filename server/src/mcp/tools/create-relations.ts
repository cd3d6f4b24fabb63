import { z } from 'zod'
import { createNamedRelations } from '../../features/memories/memories.service.ts'
import { adds, defineTool } from '../tool.ts'
import { bounded, RelationIn, RelationOut } from './shapes.ts'

export const createRelations = defineTool({
  name: 'create_relations',
  title: 'Create Relations',
  description:
    'Create multiple new relations between entities in the knowledge graph. Relations should be in active voice ' +
    '(works_at, depends_on, decided). Both entities must exist; when one does not, nothing of the call is stored.',
  input: z.object({ relations: bounded(RelationIn) }),
  output: z.object({ relations: z.array(RelationOut) }),
  annotations: adds,
  meta: { 'anthropic/searchHint': 'connect remembered things' },
  operation: 'create',
  resource: 'relation',
  async run(ctx, actor, { relations }) {
    const created = await createNamedRelations(ctx, actor, relations)
    return { structured: { relations: created }, json: created }
  },
})
