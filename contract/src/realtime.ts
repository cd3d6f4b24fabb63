import { z } from 'zod'
import { ProposalNews, proposalEvents } from './proposals.ts'
import type { Right } from './rights.ts'

export const realtimePath = '/ws/connect'
/** Subprotocol pair for browsers, which cannot set headers: `loci.v1, <token>`. */
export const realtimeProtocol = 'loci.v1'
export const realtimeMessageBytesMax = 64 * 1024
/** A normal closure; a client does not reconnect after it. */
export const normalCloseCode = 1000
/** The server is being restarted: a client reconnects after a random part of the interval, so that not all come at once. */
export const restartCloseCode = 1012
export const pingIntervalMs = 30_000
export const reconnectIntervalMs = 5_000
export const reconnectAttemptsMax = 10

const envelope = <T extends string, P extends z.ZodType>(type: T, payload: P) =>
  z.object({ id: z.string().optional(), type: z.literal(type), payload, timestamp: z.unknown().optional() })

/** Messages from the client. */
export const ClientMessage = z.discriminatedUnion('type', [
  envelope('subscribe_to_entity', z.object({ entityId: z.string().min(1).max(128) })),
  envelope('unsubscribe_from_entity', z.object({ entityId: z.string().min(1).max(128) })),
  envelope('subscribe_to_graph_changes', z.object({ since: z.number().int().min(0).optional() }).default({})),
  envelope('ping', z.unknown().optional()),
])
export type ClientMessage = z.infer<typeof ClientMessage>

/** The right that each message requires. */
export const rightOfMessage: Record<ClientMessage['type'], Right | undefined> = {
  subscribe_to_entity: 'memory:read',
  unsubscribe_from_entity: undefined,
  subscribe_to_graph_changes: 'memory:read',
  ping: undefined,
}

const entitySummary = z.object({ id: z.string(), name: z.string(), type: z.string() })
const relationSummary = z.object({
  id: z.string(),
  fromEntityId: z.string(),
  toEntityId: z.string(),
  relationType: z.string(),
})

/** Payloads of events that report a change of the graph. */
export const graphEventPayloads = {
  entity_created: entitySummary,
  /** Also sent when observations were corrected or deleted; then it lists their ids. */
  entity_updated: entitySummary.extend({
    observationsUpdated: z.array(z.string()).optional(),
    observationsDeleted: z.array(z.string()).optional(),
  }),
  /** `name` is empty if the entity was erased; `merged` is present if it was merged into another. */
  entity_deleted: z.object({ entityId: z.string(), name: z.string(), merged: z.literal(true).optional() }),
  relation_created: relationSummary,
  relation_updated: relationSummary,
  relation_deleted: z.object({ relationId: z.string() }),
  observation_added: z.object({ entityId: z.string(), observationId: z.string() }),
} as const

export type GraphEventType = keyof typeof graphEventPayloads

const graphEvent = <T extends GraphEventType>(type: T) =>
  z.object({
    id: z.string(),
    type: z.literal(type),
    payload: graphEventPayloads[type],
    timestamp: z.string(),
    /** Position in the change log of the space. */
    seq: z.number().int(),
  })

/** A committed change of the graph, as sent to subscribers. */
export const GraphEvent = z.discriminatedUnion('type', [
  graphEvent('entity_created'),
  graphEvent('entity_updated'),
  graphEvent('entity_deleted'),
  graphEvent('relation_created'),
  graphEvent('relation_updated'),
  graphEvent('relation_deleted'),
  graphEvent('observation_added'),
])
export type GraphEvent = z.infer<typeof GraphEvent>

/**
 * That something was proposed or decided on, sent with the changes of the graph, but only to its reviewers and its
 * proposer. It has no place in the change log; what was missed is in the list of proposals.
 */
export const ProposalMessage = z.object({
  id: z.string(),
  type: z.enum(proposalEvents),
  payload: ProposalNews,
  timestamp: z.string(),
})
export type ProposalMessage = z.infer<typeof ProposalMessage>

const reply = <T extends string, P extends z.ZodType>(type: T, payload: P) =>
  z.object({ id: z.string(), type: z.literal(type), payload, timestamp: z.string() })

/** Messages to subscribers of graph changes about what changes beside the graph. They carry no `seq`, and are not replayed. */
export const RealtimeNews = z.discriminatedUnion('type', [
  /** The map of the space, or the name of a region: `version` as in `GET /api/graph/places`. */
  reply('map_changed', z.object({ version: z.number().int() })),
  /** An agent was told something; entities best first. */
  reply(
    'recalled',
    z.object({ agent: z.string().nullable(), at: z.string(), entities: z.array(entitySummary) }),
  ),
])
export type RealtimeNews = z.infer<typeof RealtimeNews>

/** Messages from the server other than events. */
export const ServerReply = z.discriminatedUnion('type', [
  reply('connected', z.object({ seq: z.number().int() })),
  reply('subscribed', z.object({ entityId: z.string().optional(), seq: z.number().int() })),
  reply('unsubscribed', z.object({ entityId: z.string() })),
  reply('pong', z.object({})),
  reply('error', z.object({ code: z.string(), message: z.string() })),
])
export type ServerReply = z.infer<typeof ServerReply>

export type ServerMessage = GraphEvent | RealtimeNews | ProposalMessage | ServerReply
