import type { OperationType } from '@loci/contract/analytics'
import type { AuditAction, AuditActor, AuditCategory, AuditSubject } from '@loci/contract/audit'
import type { EndReason, InvoiceStatus, SubscriptionStatus } from '@loci/contract/billing'
import type { Role } from '@loci/contract/rights'
import type { DeliveryStatus, DisabledReason, WebhookStatus } from '@loci/contract/webhooks'
import type { Generated } from 'kysely'

/**
 * Columns are portable: whole numbers for accounts, spaces and what is in a graph, integer milliseconds for time, JSON
 * as text, 0 or 1 for truth. The account leads every key of a tenant's table, then the space.
 */
export type Database = {
  accounts: AccountsTable
  credentials: CredentialsTable
  users: UsersTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  used_challenges: UsedChallengesTable
  members: MembersTable
  invitations: InvitationsTable
  sessions: SessionsTable
  api_keys: ApiKeysTable
  key_counts: KeyCountsTable
  key_days: KeyDaysTable
  operation_counts: OperationCountsTable
  month_counts: MonthCountsTable
  subscriptions: SubscriptionsTable
  payment_methods: PaymentMethodsTable
  invoices: InvoicesTable
  invoice_items: InvoiceItemsTable
  setup_intents: SetupIntentsTable
  checkouts: CheckoutsTable
  stripe_events: StripeEventsTable
  billing_details: BillingDetailsTable
  mails: MailsTable
  test_clock: TestClockTable
  webhooks: WebhooksTable
  webhook_cursors: WebhookCursorsTable
  webhook_deliveries: WebhookDeliveriesTable
  oauth_clients: OAuthClientsTable
  oauth_requests: OAuthRequestsTable
  oauth_grants: OAuthGrantsTable
  oauth_tokens: OAuthTokensTable
  spaces: SpacesTable
  actors: ActorsTable
  agents: AgentsTable
  recalls: RecallsTable
  type_counts: TypeCountsTable
  daily_counts: DailyCountsTable
  entities: EntitiesTable
  aliases: AliasesTable
  observations: ObservationsTable
  relations: RelationsTable
  past_entities: PastEntitiesTable
  past_observations: PastObservationsTable
  past_relations: PastRelationsTable
  change_sets: ChangeSetsTable
  changes: ChangesTable
  idempotency_keys: IdempotencyKeysTable
  passages: PassagesTable
  index_marks: IndexMarksTable
  search_words: SearchWordsTable
  imports: ImportsTable
  embedders: EmbeddersTable
  leases: LeasesTable
  moves: MovesTable
  sealed_checks: SealedChecksTable
  attempts: AttemptsTable
  vector_spaces: VectorSpacesTable
  vector_gaps: VectorGapsTable
  vectors: VectorsTable
  views: ViewsTable
  region_names: RegionNamesTable
  audit_events: AuditEventsTable
  dismissed_duplicates: DismissedDuplicatesTable
}

/** A writer of the account locks its row first. */
export type AccountsTable = {
  account_id: Generated<number>
  /** What callers see; says nothing of how many accounts there are. */
  id: string
  /** Null until somebody gives it one: then it is named after its owner. */
  name: string | null
  plan: string
  /** 1 while no person owns it: what `loci mcp` stored before anyone signed up. */
  unclaimed: number
  /** 1 where processes of this machine work on it that say no key: unclaimed, or taken over with its link. */
  local: number
  /** When an agent first called over MCP. */
  agent_seen_at: number | null
  created_at: number
  /** When its deletion began: nobody signs in any more, and what belongs to it goes slice by slice. */
  deleted_at: number | null
  /** The next free number of an entity, observation, relation, word or further passage. */
  next_id: number
  next_space_id: number
  next_actor_id: number
  /** How often credentials of the account were ended before their time. */
  revocations: number
  /** In all spaces; and the UTF-8 bytes of what is stored now. */
  entities: number
  bytes: number
  /** 1 where every member needs a second factor. */
  second_factor_required: Generated<number>
}

/** What is looked up by a secret: the hash leads to the account and the row of its own. */
export type CredentialsTable = {
  hash: string
  kind:
    | 'session'
    | 'api_key'
    | 'personal_key'
    | OAuthTokenKind
    | 'checkout'
    | 'invoice'
    | 'customer'
    | 'invitation'
    | 'password_reset'
    | 'email'
    | 'second_step'
  account_id: number
  /** Id of the session, key, user, ... */
  subject: string
  expires_at: number | null
}

/** By what a start sees that its secret is the one that this database has been used with. */
export type SealedChecksTable = { name: string; sealed: string }

/** What was tried too often of late, by a hash of who tried what: each attempt moves the moment when all are forgotten. */
export type AttemptsTable = {
  key: string
  clears_at: number
}

export type UsersTable = {
  id: string
  email: string
  password_hash: string
  first_name: string
  last_name: string
  personal_key_hash: string
  /** AES-256-GCM under the master secret, since the app shows it again. */
  personal_key_encrypted: string
  created_at: number
  email_verified_at: number | null
  /** Since when a password alone does not sign in; null while it does. */
  second_factor_at: number | null
  /** Sealed; null where no authenticator app is set up. */
  totp_secret: string | null
  totp_since: number | null
  /** The newest time step whose code was used: none works twice. */
  totp_step: number | null
}

/** Each signs in once in place of another second factor. */
export type RecoveryCodesTable = { user_id: string; hash: string }

export type PasskeysTable = {
  user_id: string
  id: string
  /** As the authenticator named it, base64url. */
  credential_id: string
  name: string
  /** COSE, base64url. */
  public_key: string
  /** Of the authenticator; 0 for those that do not count. */
  counter: number
  /** JSON list. */
  transports: string
  /** 1 where it is synced between devices. */
  backed_up: number
  created_at: number
  last_used_at: number | null
}

/** Challenges that were answered, until they would have expired: none is answered twice. */
export type UsedChallengesTable = { hash: string; expires_at: number }

export type MembersTable = {
  account_id: number
  user_id: string
  role: Role
  created_at: number
  suspended_at: number | null
}

/** Of somebody to become a member; gone once accepted or taken back. */
export type InvitationsTable = {
  account_id: number
  id: string
  email: string
  role: Role
  token_hash: string
  invited_by: string
  created_at: number
  expires_at: number
}

export type SessionsTable = {
  token_hash: string
  id: string
  account_id: number
  user_id: string
  user_agent: string
  created_at: number
  last_seen_at: number
  expires_at: number
  /** From which it began, without what tells one household from the next; null where that is not kept. */
  network: string | null
}

export type ApiKeysTable = {
  account_id: number
  id: string
  name: string
  key_hash: string
  preview: string
  created_by: string
  created_at: number
  expires_at: number | null
  /** When it was replaced by a new key; it works on until `expires_at`. */
  rolled_at: number | null
  /** JSON list of rights; null for all that a key may have. */
  permissions: string | null
  /** JSON list of the numbers of spaces, the one it works on unless told otherwise first; null for all. */
  spaces: string | null
}

export type KeyCountsTable = {
  account_id: number
  key_id: string
  requests: number
  active_days: number
  last_used_at: number
  /** What the newest call was, and what about; null before that was noted. */
  last_operation: OperationType | null
  last_resource: string | null
}

/** Days (UTC) on which a key was used: what `active_days` counts. */
export type KeyDaysTable = { account_id: number; key_id: string; day: string }

/** Programs that registered themselves. Those that nobody connected, or used for long, go. */
export type OAuthClientsTable = {
  id: string
  /** JSON, as in RFC 7591. */
  metadata: string
  created_at: number
  expires_at: number
}

/** Authorization requests under way, and proofs of clients that were used. */
export type OAuthRequestsTable = { id: string; payload: string; expires_at: number }

/** A program that a user connected to a space. */
export type OAuthGrantsTable = {
  account_id: number
  id: string
  user_id: string
  space_id: number
  client_id: string
  client_name: string
  client_host: string
  /** JSON list of rights. */
  scopes: string
  /** As the program named it. */
  resource: string
  created_at: number
  last_used_at: number | null
  /** End of the token that lasts longest. */
  expires_at: number
}

export type OAuthTokenKind = 'oauth_code' | 'oauth_access' | 'oauth_refresh'

/** Codes, access tokens and refresh tokens; what was used is kept, so that using it again is noticed. */
export type OAuthTokensTable = {
  account_id: number
  hash: string
  grant_id: string
  kind: OAuthTokenKind
  /** JSON of the authorization server, without the token. */
  payload: string
  consumed_at: number | null
  expires_at: number
}

/** Operations a day, UTC; `response_us` is the sum of their response times in microseconds. */
export type OperationCountsTable = {
  account_id: number
  day: string
  operation: OperationType
  resource: string
  requests: number
  response_us: number
}

/** Operations a calendar month, UTC: what the plan's limit is held against. */
export type MonthCountsTable = { account_id: number; month: string; operations: number }

/** An account without a row has never paid. */
export type SubscriptionsTable = {
  account_id: number
  plan: string
  status: SubscriptionStatus
  /** Where the periods are counted from: a 31st stays a 31st after a shorter month. */
  anchor: number | null
  period_start: number | null
  period_end: number | null
  /** Stays when the trial is over: an account has one. */
  trial_end: number | null
  cancel_at_period_end: number
  pending_plan: string | null
  failed_payments: number
  /** When the sandbox has something to do: the period's end, or the next try of a payment. */
  next_step_at: number | null
  invoices_made: number
  /** At Stripe. */
  customer_id: string | null
  subscription_id: string | null
  /** Numbers of the newest look at Stripe that began, and of the newest whose answer was stored. */
  syncs_begun: Generated<number>
  syncs_ended: Generated<number>
  /** Past due: when the payment is tried again; null when it is not. */
  next_try_at: number | null
  /** The paid plan before the free one, and when and why it ended. */
  ended_plan: string | null
  ended_at: number | null
  end_reason: EndReason | null
  /** Cents that pay later invoices; below zero the account owes less than the smallest charge. */
  credit: Generated<number>
  /** When Stripe is to be looked at next for the account; null: when something happens. */
  sync_due_at: Generated<number | null>
  /** Looks that failed since the last one that did not, and when that was. */
  sync_tries: Generated<number>
  synced_at: Generated<number | null>
  /** JSON: what the owner is told on the billing screen. */
  notices: Generated<string>
}

export type PaymentMethodsTable = {
  account_id: number
  id: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  is_default: number
  /** 0: a test card whose every payment is declined. */
  pays: number
  created_at: number
}

export type InvoicesTable = {
  account_id: number
  id: string
  number: string
  created_at: number
  amount: number
  status: InvoiceStatus
  /** The sandbox's are paths of our own that end in a secret. */
  hosted_url: string | null
  pdf_url: string | null
  lines: string
  paid_with: string | null
  /** Cents. */
  tax: Generated<number>
  due_at: number | null
  paid_at: number | null
  /** Seller and buyer as they were when the invoice was made. */
  parties: string | null
}

/** Who pays; empty texts for what nobody said. */
export type BillingDetailsTable = {
  account_id: number
  name: string
  line1: string
  line2: string
  city: string
  region: string
  postal_code: string
  /** ISO 3166-1 alpha-2. */
  country: string
  tax_id: string
}

/** The outbox. */
export type MailsTable = {
  account_id: number
  id: string
  recipient: string
  /** Sealed; null once the mail was sent or given up. */
  content: string | null
  created_at: number
  /** Not sent after this. */
  expires_at: number | null
  tries: number
  next_try_at: number | null
  sent_at: number | null
  failure: string | null
}

/** Amounts that wait for the next invoice. */
export type InvoiceItemsTable = { account_id: number; id: string; description: string; amount: number }

export type SetupIntentsTable = { account_id: number; secret_hash: string; expires_at: number }

export type CheckoutsTable = {
  token_hash: string
  account_id: number
  plan: string
  success_url: string
  cancel_url: string
  completed_at: number | null
  expires_at: number
}

/** How far the clock of the sandbox is ahead of the server's. */
export type TestClockTable = { name: string; offset_ms: number }

/** Events that were dealt with, so that a repeated one is not. */
export type StripeEventsTable = { id: string; received_at: number }

export type WebhooksTable = {
  account_id: number
  id: string
  url: string
  description: string
  /** JSON list of events, or of `*`. */
  events: string
  /** JSON list of the numbers of spaces; null for all. */
  spaces: string | null
  /** What is `deleted` is hidden until its deliveries are gone. */
  status: WebhookStatus | 'deleted'
  disabled_reason: DisabledReason | null
  disabled_at: number | null
  /** AES-256-GCM under the master secret, since every request is signed with it. */
  secret: string
  /** The one before, which signs too until `old_secret_until`. */
  old_secret: string | null
  old_secret_until: number | null
  created_at: number
  /** When results were stored last; storing them locks the row. */
  recorded_at: number
  last_success_at: number | null
  /** The first failure after the newest success. */
  failing_since: number | null
  /** The earliest `next_attempt_at` of its deliveries. */
  retry_at: number | null
}

/** Up to which change of a space an endpoint has been sent everything; a delivery that failed waits in a row of its own. */
export type WebhookCursorsTable = { account_id: number; webhook_id: string; space_id: number; seq: number }

/** A row comes with the first attempt. What was sent is made anew from the change log. */
export type WebhookDeliveriesTable = {
  account_id: number
  webhook_id: string
  id: string
  event_id: string
  event: string
  /** The change; null for a test event. */
  space_id: number | null
  seq: number | null
  status: DeliveryStatus
  tries: number
  /** JSON list of the newest attempts. */
  attempts: string
  /** The beginning of the newest answer. */
  answer: string | null
  /** Null when there is nothing more to try. */
  next_attempt_at: number | null
  created_at: number
}

export type SpacesTable = {
  account_id: number
  space_id: number
  name: string
  created_at: number
  entities: number
  relations: number
  observations: number
  /** Number of the newest change. */
  seq: number
  /** Time of the newest change. */
  written_at: Generated<number>
  /** How many passages search has, and how long they are together, in words. */
  passages: Generated<number>
  length: Generated<number>
  /** How many passages and words search was ever given. Never goes down. */
  indexed: Generated<number>
  /** Of the analyser that made the index. */
  index_version: number
  /** While the index is made anew: how far that has come, and where it ends. What lies between is not indexed yet. */
  renewed_to: Generated<number | null>
  renewing_to: Generated<number | null>
  /** Versions that a change up to this one ended are erased, since history is kept for a time only. */
  history_from: Generated<number>
  /** When its deletion began: it is no longer found, and what belongs to it goes slice by slice. */
  deleted_at: number | null
}

/** Who made changes: interned, since each change set names one. */
export type ActorsTable = {
  account_id: number
  actor_id: number
  kind: string
  /** Id of the key, or of the person. */
  ref: string
  name: string
  /** The MCP client's name for itself, or ''. */
  client: string
}

/** How many entities (relations) have a type. */
export type TypeCountsTable = {
  account_id: number
  space_id: number
  kind: 'entity' | 'relation'
  type: string
  count: number
  /** Of entity types, but for those with a fixed colour. */
  colour: Generated<number | null>
}

/** A program that calls over MCP, by the name that it gives itself. */
export type AgentsTable = {
  account_id: number
  name: string
  first_seen_at: number
  last_seen_at: number
  calls: number
  /** The last day (UTC) with a call, and the calls of that day. */
  day: string
  day_calls: number
}

/** The last question that an agent asked of a space. */
export type RecallsTable = {
  account_id: number
  space_id: number
  at: number
  /** What the agent calls itself. */
  agent: string | null
  question: string
  /** How many observations it was given. */
  observations: number
  /** Ids of the entities that it was told of, best first, a JSON list. */
  entities: string
}

/** What was created a day, UTC. */
export type DailyCountsTable = {
  account_id: number
  space_id: number
  day: string
  entities_created: number
  relations_created: Generated<number>
  observations_created: Generated<number>
}

export type EntitiesTable = {
  account_id: number
  space_id: number
  id: number
  name: string
  type: string
  metadata: string
  /** Names of entities that were merged into it, a JSON list; null for none. */
  aliases: string | null
  observations_count: number
  /** Number of relation ends at this entity. */
  degree: number
  /** Grows with each change of the entity or its observations; its ETag. */
  version: number
  created_at: number
  updated_at: number
  /** The change that this version began with, and how many observations there were after it. */
  since: number
  since_observations: number
}

/** The present names of merged entities: what `entities.aliases` says, to look up. */
export type AliasesTable = { account_id: number; space_id: number; name: string; entity_id: number }

export type ObservationsTable = {
  account_id: number
  space_id: number
  /** Grows in the order of insertion. */
  id: number
  entity_id: number
  content: string
  /** CRC-32 of the content, to find an equal one. */
  content_hash: number
  metadata: string | null
  created_at: number
  updated_at: number | null
  since: number
}

export type RelationsTable = {
  account_id: number
  space_id: number
  id: number
  from_id: number
  to_id: number
  type: string
  created_at: number
  since: number
}

/** A version that ended: it held for `since <= seq < until`. */
type Past<Table> = Table & { until: number }
export type PastEntitiesTable = Past<EntitiesTable>
export type PastObservationsTable = Past<ObservationsTable>
export type PastRelationsTable = Past<RelationsTable>

/** All that one call changed; `seq` is that of its first change. */
export type ChangeSetsTable = {
  account_id: number
  space_id: number
  seq: number
  at: number
  actor_id: number
}

/** That something happened; what it looked like is in current and past rows. */
export type ChangesTable = {
  account_id: number
  space_id: number
  seq: number
  set_seq: number
  /** A number of `changes/operations.ts`. */
  operation: number
  subject_id: number
}

export type IdempotencyKeysTable = {
  account_id: number
  /** The space of the call, with which the answer goes. */
  space_id: number
  key: string
  request_hash: string
  status: number
  headers: string
  body: string
  created_at: number
}

/** The second and later passages of a long observation. Its first, mostly its only one, has the observation's number. */
export type PassagesTable = {
  account_id: number
  space_id: number
  id: number
  observation_id: number
  /** 1 for the second passage. */
  part: number
}

/** At the number `id` of the account, `ordinal` was the next of the space: now and then a row, to interpolate between. */
export type IndexMarksTable = { account_id: number; space_id: number; id: number; ordinal: number }

/** Words as they are written in the space, and the term they are found by. */
export type SearchWordsTable = {
  account_id: number
  space_id: number
  word: string
  term: string
  /** Unique among words and passages of the account. */
  id: number
}

export type ImportsTable = {
  account_id: number
  space_id: number
  id: string
  /** SHA-256 of the file. */
  digest: string
  format: string
  bytes: number
  /** Who works on it: another one takes over by writing a new value. */
  runner: string
  progress: string
  created_at: number
  updated_at: number
}

/** A model with all that its vectors depend on. */
export type EmbeddersTable = {
  number: number
  /** What the configuration says of it; retired ones have their number here. */
  identity: string
  /** Null until its first vectors have come. */
  dimensions: number | null
  /** 1: its vectors are in the database's own type. */
  is_native: number
  /** Why the newest try to make vectors failed; null when it did not. */
  failure: string | null
  failed_at: number | null
}

/** What one process at a time may do, and until when it may without saying so again. */
export type LeasesTable = { name: string; holder: string; expires_at: number }

/** Another installation that is, or was, moved into this database; until it is `finished` nothing is served. */
export type MovesTable = {
  source: string
  state: 'copying' | 'indexing' | 'finished'
  began_at: number
  ended_at: number | null
}

/** Passages up to the id `embedded_to` have their vectors. */
export type VectorSpacesTable = {
  account_id: number
  space_id: number
  embedder: number
  embedded_to: number
}

/** Passages up to `embedded_to` that wait for a vector, since their text is newer than that. */
export type VectorGapsTable = { account_id: number; space_id: number; passage_id: number }

/** Written and read by `dialect.vectors`. */
export type VectorsTable = {
  account_id: number
  space_id: number
  passage_id: number
  embedder: number
}

/** Named views of the graph screen. */
export type ViewsTable = {
  account_id: number
  space_id: number
  id: string
  name: string
  /** JSON: see `ViewState` of the contract. */
  state: string
  created_by: string
  created_at: number
  updated_at: number
}

/** The names that people gave to regions of the graph, by an entity in each. */
export type RegionNamesTable = {
  account_id: number
  space_id: number
  entity_id: number
  name: string
  named_at: number
}

/** One thing that was done in an account, and by whom. */
export type AuditEventsTable = {
  account_id: number
  /** Ids grow with time. */
  id: string
  at: number
  action: AuditAction
  category: AuditCategory
  actor_kind: AuditActor['kind']
  user_id: string | null
  user_name: string
  credential_id: string | null
  credential_name: string
  client: string | null
  address: string | null
  subject_kind: AuditSubject['kind'] | null
  subject_id: string | null
  subject_name: string
  /** JSON object. */
  details: string
}

/** Pairs of entities, the lower number first, of which somebody said that they are not the same thing. */
export type DismissedDuplicatesTable = {
  account_id: number
  space_id: number
  first_id: number
  second_id: number
  dismissed_at: number
}
