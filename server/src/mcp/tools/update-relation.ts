import { RelationType } from '@loci/contract/relations'
import { StorableText } from '@loci/contract/text'
import { updateNamedRelation } from '../../features/memories/memories.service.ts'
import { changes, defineTool } from '../tool.ts'
import { RelationKey, RelationOut } from './shapes.ts'

export const updateRelation = defineTool({
  name: 'update_relation',
  title: 'Update Relation',
  description: 'Change the type of a relation between two entities; the relation keeps its age.',
  input: RelationKey.extend({
    relationType: StorableText.describe('The type that the relation has now'),
    newRelationType: RelationType.describe('The type that it shall have, in active voice'),
  }),
  output: RelationOut,
  annotations: changes,
  meta: { 'anthropic/searchHint': 'change the type of a remembered connection' },
  operation: 'update',
  resource: 'relation',
  async run(ctx, actor, { newRelationType, ...relation }) {
    return { structured: await updateNamedRelation(ctx, actor, relation, newRelationType) }
  },
})
