import { z } from 'zod'
import { MemoryRight } from './rights.ts'
import { IsoDateTime, QueryBoolean, text } from './text.ts'

/** A program as people know it: by the name that it gives itself, and the host that stands behind it. */
const ConnectedClient = z.object({ name: z.string(), host: z.string() })

const SpaceName = z.object({ id: z.string(), name: z.string() })

/** A program that was connected over OAuth. */
export const Connection = z.object({
  id: z.string(),
  client: ConnectedClient,
  scopes: z.array(MemoryRight),
  space: SpaceName,
  createdAt: IsoDateTime,
  lastUsedAt: IsoDateTime.nullable(),
  /** Who connected it, where those of everybody are listed. */
  person: z.object({ userId: z.string(), name: z.string(), email: z.string() }).optional(),
})
export type Connection = z.infer<typeof Connection>

/** `all`: of everybody in the account, with `members:manage`. */
export const ListConnectionsQuery = z.object({ all: QueryBoolean.default(false) })
export const ConnectionsResponse = z.object({ connections: z.array(Connection) })

/** A program that asks to be connected. */
export const ConnectionRequest = z.object({
  client: ConnectedClient.extend({
    /** Whether its host vouches for its name: then that is where its description was fetched from. */
    isVerified: z.boolean(),
  }),
  /** Where the browser goes, with the answer. */
  redirectUri: z.string(),
  /** What it asks for. */
  scopes: z.array(MemoryRight),
  /** The spaces that it may be connected to. */
  spaces: z.array(SpaceName),
  expiresAt: IsoDateTime,
})
export type ConnectionRequest = z.infer<typeof ConnectionRequest>

/** What a person grants: no more than was asked for. */
export const ApproveConnection = z.object({
  scopes: z.array(MemoryRight).min(1, 'Choose at least one right').max(MemoryRight.options.length),
  /** Id of a space. */
  space: text(1, 128, 'Space'),
})
export type ApproveConnection = z.infer<typeof ApproveConnection>

/** Where the browser goes now. */
export const ConnectionAnswer = z.object({ redirectTo: z.string() })
export type ConnectionAnswer = z.infer<typeof ConnectionAnswer>
