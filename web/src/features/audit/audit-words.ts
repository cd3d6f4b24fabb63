import type { AuditAction, AuditCategory, AuditEvent } from '@loci/contract/audit'

export const categories: { value: AuditCategory; label: string }[] = [
  { value: 'sign_ins', label: 'Sign-ins' },
  { value: 'keys', label: 'API keys' },
  { value: 'connections', label: 'Connected apps' },
  { value: 'members', label: 'Members' },
  { value: 'account', label: 'Account' },
  { value: 'spaces', label: 'Spaces' },
  { value: 'billing', label: 'Billing' },
  { value: 'data', label: 'Exports, imports, erasures' },
  { value: 'webhooks', label: 'Webhooks' },
]

/** The words between actor and subject. */
const verbs: Record<AuditAction, string> = {
  signed_up: 'signed up as',
  signed_in: 'signed in',
  sign_in_failed: 'failed to sign in as',
  signed_out: 'signed out',
  session_ended: 'ended a session',
  sessions_ended: 'ended their sessions',
  password_changed: 'changed their password',
  password_reset: 'set a new password for',
  authenticator_added: 'set up an authenticator app',
  authenticator_removed: 'removed their authenticator app',
  passkey_added: 'added the passkey',
  passkey_removed: 'removed the passkey',
  recovery_codes_rolled: 'made new recovery codes',
  second_factor_reset: 'removed the second factor of',
  key_created: 'created the API key',
  key_changed: 'changed how far agents get with the API key',
  door_tried: 'tried a call through',
  key_rolled: 'rolled the API key',
  key_deleted: 'deleted the API key',
  personal_key_rolled: 'rolled their personal API key',
  connection_granted: 'connected the app',
  connection_changed: 'changed how far agents get with the app',
  connection_revoked: 'disconnected the app',
  member_invited: 'invited',
  invitation_deleted: 'revoked the invitation of',
  member_joined: 'joined as',
  member_role_changed: 'changed the role of',
  member_removed: 'removed',
  member_left: 'left the account',
  ownership_transferred: 'handed the account over to',
  account_renamed: 'renamed the account to',
  second_factor_rule_changed: 'changed who needs a second factor',
  space_created: 'created the space',
  space_renamed: 'renamed a space to',
  conversation_days_changed: 'changed how long conversations are kept in',
  recalls_switched: 'changed whether recalls are kept in',
  counts_switched: 'changed whether it is counted which facts are told in',
  space_review_changed: 'changed what is reviewed in the space',
  accept_rule_created: 'made a rule that accepts proposals in the space',
  accept_rule_ended: 'ended a rule that accepts proposals in the space',
  space_deleted: 'deleted the space',
  checkout_opened: 'opened the checkout for',
  plan_chosen: 'chose the plan',
  plan_changed: 'changed the plan to',
  subscription_canceled: 'cancelled the subscription',
  subscription_resumed: 'resumed the subscription',
  card_added: 'added the card',
  card_removed: 'removed the card',
  default_card_changed: 'set the default card',
  billing_details_changed: 'changed the billing details',
  data_exported: 'exported the memory',
  audit_exported: 'exported this log',
  data_imported: 'imported a file',
  entity_erased: 'erased an entity',
  conversation_erased: 'erased a conversation',
  view_shared: 'shared a view',
  share_ended: 'ended a shared view',
  observation_erased: 'erased an observation',
  webhook_created: 'added the webhook',
  webhook_changed: 'changed the webhook',
  webhook_deleted: 'deleted the webhook',
  webhook_secret_rolled: 'rolled the secret of the webhook',
}

export type Sentence = { who: string; verb: string; what: string }

/** An event in three parts: actor, action, subject. */
export function sentenceOf({ action, actor, subject }: AuditEvent): Sentence {
  const verb = verbs[action] ?? action.replaceAll('_', ' ')
  if (action === 'sign_in_failed') return { who: 'Somebody', verb, what: actor.name }
  if (action === 'card_added' && actor.kind === 'system')
    return { who: 'Somebody on Stripe’s pages', verb, what: subject?.name ?? '' }
  if (action === 'member_joined' && actor.kind === 'local')
    return { who: whoOf(actor), verb: 'added', what: subject?.name ?? '' }
  const isSelf = action === 'member_left'
  return { who: whoOf(actor), verb, what: isSelf ? '' : (subject?.name ?? '') }
}

function whoOf({ kind, name }: AuditEvent['actor']): string {
  if (kind === 'system') return 'Loci'
  if (kind === 'visitor') return name || 'Somebody'
  return name || (kind === 'local' ? 'The operator of this server' : 'Somebody')
}

const credentials: Partial<Record<AuditEvent['actor']['kind'], string>> = {
  personal_key: 'personal API key',
  api_key: 'API key',
  oauth: 'app',
  local: 'command line',
}

const rights: Record<string, string> = {
  all: 'all rights',
  'memory:read': 'read only',
  'memory:write': 'write only',
  'memory:read memory:write': 'read and write',
}

/** Further details in short pieces; `deviceOf` names a browser. */
export function detailsOf(
  { actor, details, address }: AuditEvent,
  deviceOf: (userAgent: string) => string,
): string[] {
  const { from, to, role, required, device, permissions, scopes, reason, host, format } = details
  const granted = permissions ?? scopes
  const credential = credentials[actor.kind]
  const pieces = [
    from !== undefined && to !== undefined && `${from} → ${to}`,
    role,
    required !== undefined && (required ? 'everybody' : 'nobody has to'),
    granted !== undefined && (rights[String(granted)] ?? granted),
    host,
    format,
    reason,
    device !== undefined && deviceOf(String(device)),
    credential && [credential, actor.credential?.name].filter(Boolean).join(' '),
    actor.client,
    address,
  ]
  return pieces.filter((piece) => typeof piece === 'string' && piece !== '').map(String)
}
