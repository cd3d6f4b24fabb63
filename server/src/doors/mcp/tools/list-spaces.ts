import { z } from 'zod'
import { contentCharactersMax } from '../../../features/memories/answer-size.ts'
import { listSpaces } from '../../../features/spaces/spaces.service.ts'
import { toId } from '../../../ground/lib/ids.ts'
import { takeFitting } from '../../../ground/lib/json-size.ts'
import { defineTool, reads } from '../tool.ts'

export const listSpacesTool = defineTool({
  name: 'list_spaces',
  title: 'List Spaces',
  description:
    'The spaces of this account, each a separate memory, and which one this connection uses. To use another one, ' +
    'the user connects an agent to its address, /mcp/spaces/<name>.',
  input: z.object({}),
  output: z.object({
    notice: z.string().optional(),
    spaces: z.array(
      z.object({
        name: z.string(),
        entities: z.number().int(),
        observations: z.number().int(),
        relations: z.number().int(),
        current: z.boolean().describe('Whether this connection uses it'),
      }),
    ),
  }),
  annotations: reads,
  meta: { 'anthropic/searchHint': 'other memories of the account' },
  right: 'memory:read',
  operation: 'query',
  resource: 'space',
  onlyWithSpaces: true,
  async run(ctx, actor) {
    const current = toId('spc', actor.spaceId)
    const spaces = (await listSpaces(ctx, actor)).map(({ id, name, entities, observations, relations }) => ({
      name,
      entities,
      observations,
      relations,
      current: id === current,
    }))
    const { taken } = takeFitting(spaces, contentCharactersMax)
    const isListed = taken.some((space) => space.current)
    const listed = isListed ? taken : [...taken.slice(0, -1), ...spaces.filter((space) => space.current)]
    const left = spaces.length - listed.length
    return {
      structured: {
        ...(left === 0 ? {} : { notice: `${left} more spaces are not listed: there are too many.` }),
        spaces: listed,
      },
    }
  },
})
