import { StorableText } from '@loci/contract/text'
import { updateNamedRelation } from '../../../features/memories/memories.service.ts'
import { changes, defineTool } from '../tool.ts'
import { limitedRelationType, RelationFound, RelationKey, waitingNotice } from './shapes.ts'

export const updateRelationTool = defineTool({
  name: 'update_relation',
  title: 'Update Relation',
  description: 'Change the type of a relation between two entities; the relation keeps its date.',
  input: RelationKey.extend({
    from: StorableText.describe('Its source entity'),
    to: StorableText.describe('Its target entity'),
    relationType: StorableText.describe('Its current type'),
    newRelationType: limitedRelationType.describe('Its new type, in active voice'),
  }).strict(),
  output: RelationFound.extend(waitingNotice),
  annotations: changes,
  meta: { 'anthropic/searchHint': 'change the type of a remembered connection' },
  right: 'memory:write',
  operation: 'update',
  resource: 'relation',
  async run(ctx, actor, { newRelationType, ...relation }) {
    return { structured: await updateNamedRelation(ctx, actor, relation, newRelationType) }
  },
})
