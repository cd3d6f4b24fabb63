import { z } from 'zod'
import { NextCursor, PageQuery } from './lists.ts'
import { filterList, IsoDateTime, MomentInput, text } from './text.ts'

/** Subject area of an event, for filters. */
export const AuditCategory = z.enum([
  'sign_ins',
  'keys',
  'connections',
  'members',
  'account',
  'spaces',
  'billing',
  'data',
  'webhooks',
])
export type AuditCategory = z.infer<typeof AuditCategory>

/** Every action that the audit log records, by category. Actions are added, never renamed. */
export const auditActions = {
  sign_ins: [
    'signed_up',
    'signed_in',
    'sign_in_failed',
    'signed_out',
    'session_ended',
    'sessions_ended',
    'password_changed',
    'password_reset',
    'authenticator_added',
    'authenticator_removed',
    'passkey_added',
    'passkey_removed',
    'recovery_codes_rolled',
    'second_factor_reset',
  ],
  keys: ['key_created', 'key_changed', 'key_rolled', 'key_deleted', 'personal_key_rolled', 'door_tried'],
  connections: ['connection_granted', 'connection_changed', 'connection_revoked'],
  members: [
    'member_invited',
    'invitation_deleted',
    'member_joined',
    'member_role_changed',
    'member_removed',
    'member_left',
  ],
  account: ['ownership_transferred', 'account_renamed', 'second_factor_rule_changed'],
  spaces: [
    'space_created',
    'space_renamed',
    'space_review_changed',
    'space_deleted',
    'recalls_switched',
    'conversation_days_changed',
    'counts_switched',
    'accept_rule_created',
    'accept_rule_ended',
  ],
  billing: [
    'checkout_opened',
    'plan_chosen',
    'plan_changed',
    'subscription_canceled',
    'subscription_resumed',
    'card_added',
    'card_removed',
    'default_card_changed',
    'billing_details_changed',
  ],
  data: [
    'data_exported',
    'audit_exported',
    'data_imported',
    'entity_erased',
    'observation_erased',
    'conversation_erased',
    'view_shared',
    'share_ended',
  ],
  webhooks: ['webhook_created', 'webhook_changed', 'webhook_deleted', 'webhook_secret_rolled'],
} as const satisfies Record<AuditCategory, readonly string[]>

export type AuditAction = (typeof auditActions)[AuditCategory][number]
export const AuditAction = z.enum(Object.values(auditActions).flat() as [AuditAction, ...AuditAction[]])

const categoryByAction = new Map<AuditAction, AuditCategory>(
  AuditCategory.options.flatMap((category) => auditActions[category].map((action) => [action, category])),
)
export const categoryOfAction = (action: AuditAction): AuditCategory => categoryByAction.get(action)!

/** Who did it: `visitor` is a person who has not signed in, `system` is the server itself. */
export const AuditActor = z.object({
  kind: z.enum(['session', 'personal_key', 'api_key', 'oauth', 'local', 'system', 'visitor']),
  /** The person; for a failed sign-in, the user that the visitor claimed to be. */
  userId: z.string().nullable(),
  /** The person's name at the time. */
  name: z.string(),
  /** The current email; null if the user no longer exists. */
  email: z.string().nullable(),
  /** The session, API key or connection used. */
  credential: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The MCP client's own name, if it came over MCP. */
  client: z.string().nullable(),
})
export type AuditActor = z.infer<typeof AuditActor>

/** The target of an action. */
export const AuditSubject = z.object({
  kind: z.enum([
    'account',
    'card',
    'connection',
    'conversation',
    'entity',
    'export',
    'import',
    'invitation',
    'key',
    'observation',
    'passkey',
    'person',
    'plan',
    'session',
    'share',
    'space',
    'webhook',
  ]),
  id: z.string().nullable(),
  /** The name at the time; empty if there is none or it must not be kept. */
  name: z.string(),
})
export type AuditSubject = z.infer<typeof AuditSubject>

/** Further facts, such as `from` and `to` of a change. */
export const AuditDetails = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
export type AuditDetails = z.infer<typeof AuditDetails>

export const AuditEvent = z.object({
  id: z.string(),
  at: IsoDateTime,
  action: AuditAction,
  category: AuditCategory,
  actor: AuditActor,
  subject: AuditSubject.nullable(),
  details: AuditDetails,
  /** Network address of the caller, as far as the server keeps it. */
  address: z.string().nullable(),
})
export type AuditEvent = z.infer<typeof AuditEvent>

const Filters = z.object({
  category: AuditCategory.optional(),
  actions: filterList(AuditAction),
  userId: text(1, 128, 'User').optional(),
  /** Inclusive. */
  after: MomentInput.optional(),
  /** Exclusive. */
  before: MomentInput.optional(),
})
export type AuditFilters = z.infer<typeof Filters>

export const ListAuditQuery = PageQuery.extend(Filters.shape)
export type ListAuditQuery = z.infer<typeof ListAuditQuery>
export const ExportAuditQuery = Filters

/** Events older than `keptDays` are deleted. */
export const AuditResponse = z.object({
  events: z.array(AuditEvent),
  nextCursor: NextCursor,
  keptDays: z.number().int(),
})
export type AuditResponse = z.infer<typeof AuditResponse>
