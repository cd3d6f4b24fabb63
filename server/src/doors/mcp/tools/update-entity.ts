import { Metadata } from '@loci/contract/metadata'
import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { updateNamedEntity } from '../../../features/memories/memories.service.ts'
import { changes, defineTool } from '../tool.ts'
import { limitedName, limitedType } from './shapes.ts'
import { isLarge } from './short-answers.ts'

export const updateEntityTool = defineTool({
  name: 'update_entity',
  title: 'Update Entity',
  description:
    'Rename an entity, change its type, or set keys of its metadata. ' + 'Metadata is merged key by key.',
  input: z.strictObject({
    name: StorableText.describe('Its current name'),
    newName: limitedName.optional().describe('Its new name'),
    entityType: limitedType.optional().describe('Its new type'),
    metadata: Metadata.optional().describe('Keys to set; null removes a key'),
  }),
  output: z.object({
    notice: z.string().optional().describe('Present when the metadata is too long to repeat'),
    name: z.string(),
    entityType: z.string(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  annotations: changes,
  meta: { 'anthropic/searchHint': 'rename a remembered entity, set metadata' },
  right: 'memory:write',
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
