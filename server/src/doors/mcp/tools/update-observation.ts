import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { updateNamedObservation } from '../../../features/memories/correct-memories.ts'
import { changes, defineTool } from '../tool.ts'
import { limitedFactTime, limitedObservation } from './shapes.ts'
import { isLarge } from './short-answers.ts'

export const updateObservationTool = defineTool({
  name: 'update_observation',
  title: 'Update Observation',
  description:
    'Correct an observation; it keeps its id and date. With replaces, others are no longer told. Alone, it confirms one whose files changed.',
  input: z.strictObject({
    entityName: StorableText.optional().describe('Its entity, unless an id is given'),
    observation: StorableText.describe('Its id or exact text'),
    newObservation: limitedObservation.optional().describe('Its new text'),
    at: limitedFactTime.optional().describe('When it became true: 2026-02'),
    until: limitedFactTime.optional().describe('When it stopped'),
    replaces: z.array(StorableText).max(100).optional().describe('Ids of facts whose place it takes'),
  }),
  output: z.object({
    notice: z.string().optional().describe('Present when the text is too long to repeat'),
    id: z.string(),
    entityName: z.string(),
    observation: z.string().optional(),
  }),
  annotations: changes,
  meta: { 'anthropic/searchHint': 'correct a remembered fact that is wrong or outdated' },
  right: 'memory:write',
  operation: 'update',
  resource: 'observation',
  async run(ctx, actor, args) {
    const { observation, ...stored } = await updateNamedObservation(ctx, actor, args)
    return isLarge([observation])
      ? { structured: stored, notice: 'The text is stored; this answer leaves it out.' }
      : { structured: { ...stored, observation } }
  },
})
