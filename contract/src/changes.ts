import { z } from 'zod'
import { IsoDateTime } from './text.ts'

/** What can happen to a graph. */
export const ChangeOperation = z.enum([
  'entity_created',
  'entity_updated',
  'entity_deleted',
  'relation_created',
  'relation_updated',
  'relation_deleted',
  'observation_added',
  'observation_deleted',
])
export type ChangeOperation = z.infer<typeof ChangeOperation>

/** Who made a change. */
export const ChangeActor = z.object({
  kind: z.enum(['session', 'personal_key', 'api_key', 'local', 'system']),
  userId: z.string().optional(),
  keyId: z.string().optional(),
  /** The MCP client's own name, when it came over MCP. */
  client: z.string().optional(),
})
export type ChangeActor = z.infer<typeof ChangeActor>

/** One row of the change log. */
export const Change = z.object({
  /** Gapless in the space, from 1. */
  seq: z.number().int(),
  at: IsoDateTime,
  actor: ChangeActor,
  operation: ChangeOperation,
  subjectId: z.string(),
  /** The subject before and after; null where there was or is none. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
})
export type Change = z.infer<typeof Change>
