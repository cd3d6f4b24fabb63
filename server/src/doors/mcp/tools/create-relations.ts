import { z } from 'zod'
import { createNamedRelations } from '../../../features/memories/memories.service.ts'
import { counted } from '../../../ground/lib/counted.ts'
import { adds, defineTool } from '../tool.ts'
import { bounded, RelationIn, RelationOut } from './shapes.ts'
import { isLarge, takeShort } from './short-answers.ts'

export const createRelationsTool = defineTool({
  name: 'create_relations',
  title: 'Create Relations',
  description:
    'Create multiple new relations between entities in the knowledge graph. Relations should be in active voice ' +
    '(works_at, depends_on, decided). Both entities must exist, or nothing is stored.',
  input: z.object({ relations: bounded(RelationIn) }),
  output: z.object({
    notice: z.string().optional().describe('Counts, if the answer to a large call is shortened'),
    relations: z.array(RelationOut),
  }),
  annotations: adds,
  meta: { 'anthropic/searchHint': 'connect remembered things' },
  right: 'memory:write',
  operation: 'create',
  resource: 'relation',
  async run(ctx, actor, { relations }) {
    const created = await createNamedRelations(ctx, actor, relations)
    if (!isLarge(created)) return { structured: { relations: created }, json: created }
    const shown = takeShort(created)
    return {
      structured: { relations: shown },
      json: shown,
      notice: noteOfCreated(created.length, relations.length, shown.length),
    }
  },
})

function noteOfCreated(created: number, asked: number, shown: number): string {
  const existing = asked === created ? '' : `; ${asked - created} existed already`
  const rest = shown === created ? '' : ` This answer leaves out ${created - shown} of them.`
  return `Created ${counted(created, 'relation')}${existing}.${rest}`
}
