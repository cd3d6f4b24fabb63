import { z } from 'zod'

/** Who made a change. */
export const ChangeActor = z.object({
  kind: z.enum(['session', 'personal_key', 'api_key', 'oauth', 'local', 'system']),
  /** Of the API key, of the connection, or of the person. */
  id: z.string(),
  name: z.string(),
  /** The MCP client's own name, when it came over MCP. */
  client: z.string().optional(),
})
export type ChangeActor = z.infer<typeof ChangeActor>
