import { EntityName, EntityType } from '@loci/contract/entities'
import { Metadata } from '@loci/contract/metadata'
import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { updateNamedEntity } from '../../features/memories/memories.service.ts'
import { changes, defineTool } from '../tool.ts'
import { isLarge } from './short-answers.ts'

export const updateEntity = defineTool({
  name: 'update_entity',
  title: 'Update Entity',
  description:
    'Rename an entity, change its type, or set keys of its metadata. Observations and relations stay. ' +
    'Metadata is merged key by key; null removes a key.',
  input: z.object({
    name: StorableText.describe('The exact name that the entity has now'),
    newName: EntityName.optional().describe('The name that it shall have'),
    entityType: EntityType.optional().describe('The type that it shall have'),
    metadata: Metadata.optional().describe('Keys to set; a key with null is removed'),
  }),
  output: z.object({
    notice: z.string().optional().describe('Present when the metadata is too long to repeat'),
    name: z.string(),
    entityType: z.string(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  annotations: changes,
  meta: { 'anthropic/searchHint': 'rename a remembered entity, set metadata' },
  operation: 'update',
  resource: 'entity',
  async run(ctx, actor, { name, newName, entityType, metadata }) {
    const entity = await updateNamedEntity(ctx, actor, name, {
      name: newName,
      type: entityType,
      metadata,
    })
    const isShort = !isLarge([entity.metadata])
    const isEmpty = Object.keys(entity.metadata).length === 0
    return {
      structured: {
        name: entity.name,
        entityType: entity.type,
        ...(isShort && !isEmpty ? { metadata: entity.metadata } : {}),
      },
      notice: isShort
        ? undefined
        : 'The metadata is stored; this answer leaves it out. explore_entity shows it.',
    }
  },
})
