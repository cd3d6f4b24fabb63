import { z } from 'zod'

/** Who made a change. */
export const ChangeActor = z.object({
  kind: z.enum(['session', 'personal_key', 'api_key', 'oauth', 'local', 'system']),
  /** Id of the API key, the connection or the person. */
  id: z.string(),
  name: z.string(),
  /** The MCP client's own name, if it came over MCP. */
  client: z.string().optional(),
})
export type ChangeActor = z.infer<typeof ChangeActor>
