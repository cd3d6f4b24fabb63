import { z } from 'zod'
import { MemoryRight } from './rights.ts'
import { IsoDateTime, QueryBoolean, text } from './text.ts'
import { WritePolicy } from './write-policy.ts'

/** A program as people know it: the name it gives itself and the host it belongs to. */
const ConnectedClient = z.object({ name: z.string(), host: z.string() })

const SpaceName = z.object({ id: z.string(), name: z.string() })

/** A program connected over OAuth. */
export const Connection = z.object({
  id: z.string(),
  client: ConnectedClient,
  scopes: z.array(MemoryRight),
  /** `propose`: what it writes waits for a person's review. */
  writes: WritePolicy,
  /** Whether it is held to reading, whatever its scopes. */
  isReadOnly: z.boolean(),
  space: SpaceName,
  createdAt: IsoDateTime,
  lastUsedAt: IsoDateTime.nullable(),
  /** The person who connected it, in lists of everyone's connections. */
  person: z.object({ userId: z.string(), name: z.string(), email: z.string() }).optional(),
})
export type Connection = z.infer<typeof Connection>

/** `all`: everyone's connections in the account; requires `members:manage`. */
export const ListConnectionsQuery = z.object({ all: QueryBoolean.default(false) })
export const ConnectionsResponse = z.object({ connections: z.array(Connection) })

/** A program that requests a connection. */
export const ConnectionRequest = z.object({
  client: ConnectedClient.extend({
    /** Whether its host vouches for its name: its description was then fetched from that host. */
    isVerified: z.boolean(),
  }),
  /** Where the browser is redirected with the result. */
  redirectUri: z.string(),
  /** The rights it requests. */
  scopes: z.array(MemoryRight),
  /** The spaces it can be connected to. */
  spaces: z.array(SpaceName),
  expiresAt: IsoDateTime,
})
export type ConnectionRequest = z.infer<typeof ConnectionRequest>

/** What a person grants: at most what was requested. */
export const ApproveConnection = z.object({
  scopes: z.array(MemoryRight).min(1, 'Choose at least one right').max(MemoryRight.options.length),
  /** Id of a space. */
  space: text(1, 128, 'Space'),
  /** `direct` if absent. */
  writes: WritePolicy.optional(),
})
export type ApproveConnection = z.infer<typeof ApproveConnection>

/** Body of `PATCH /api/connections/:id`. */
export const UpdateConnection = z.object({
  writes: WritePolicy.optional(),
  isReadOnly: z.boolean().optional(),
})
export type UpdateConnection = z.infer<typeof UpdateConnection>

/** Redirect the browser here. */
export const ConnectionAnswer = z.object({ redirectTo: z.string() })
export type ConnectionAnswer = z.infer<typeof ConnectionAnswer>
