import type { OperationType } from '@loci/contract/analytics'
import type { AuditAction, AuditActor, AuditCategory, AuditSubject } from '@loci/contract/audit'
import type { EndReason, InvoiceStatus, SubscriptionStatus } from '@loci/contract/billing'
import type { Role } from '@loci/contract/rights'
import type { DeliveryStatus, DisabledReason, WebhookStatus } from '@loci/contract/webhooks'
import type { Generated } from 'kysely'

/**
 * Columns are portable: integers for accounts, spaces and graph numbers, integer milliseconds for time, JSON as text,
 * 0 or 1 for booleans. The account leads every key of a tenant's table, then the space.
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
  door_calls: DoorCallsTable
  key_counts: KeyCountsTable
  key_days: KeyDaysTable
  operation_counts: OperationCountsTable
  month_counts: MonthCountsTable
  subscriptions: SubscriptionsTable
  payment_methods: PaymentMethodsTable
  invoices: InvoicesTable
  ledger_entries: LedgerEntriesTable
  ledger_checks: LedgerChecksTable
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
  brief_marks: BriefMarksTable
  brief_mails: BriefMailsTable
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
  turn_indexes: TurnIndexesTable
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
  conversations: ConversationsTable
  turns: TurnsTable
  conversation_files: ConversationFilesTable
  drafts: DraftsTable
  views: ViewsTable
  region_names: RegionNamesTable
  graph_maps: GraphMapsTable
  graph_map_parts: GraphMapPartsTable
  shares: SharesTable
  audit_events: AuditEventsTable
  dismissed_duplicates: DismissedDuplicatesTable
  proposals: ProposalsTable
  proposal_subjects: ProposalSubjectsTable
  accept_rules: AcceptRulesTable
  told_facts: ToldFactsTable
  dismissed_health: DismissedHealthTable
}

/** Writers of an account lock its row first. */
export type AccountsTable = {
  account_id: Generated<number>
  /** The public id; does not reveal how many accounts there are. */
  id: string
  /** Null until the first rename; until then the account is named after its owner. */
  name: string | null
  plan: string
  /** 1 while no person owns it: memory stored by `loci mcp` before anyone signed up. */
  unclaimed: number
  /** 1 if processes of this machine can use it without a key: unclaimed, or claimed with its link. */
  local: number
  created_at: number
  /** When its deletion began: nobody can sign in, and its rows are deleted in slices. */
  deleted_at: number | null
  /** The next free number of an entity, observation, relation, word or further passage. */
  next_id: number
  next_space_id: number
  next_actor_id: number
  /** How often credentials of the account were ended before their expiry. */
  revocations: number
  /** In all spaces; `bytes` is the UTF-8 size of what is stored now. */
  entities: number
  bytes: number
  /** The same of conversations, which are limited apart. */
  conversation_bytes: Generated<number>
  /** 1 if every member needs a second factor. */
  second_factor_required: Generated<number>
}

/** Look-up by secret: the hash leads to the account and to the row that it proves. */
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
    | 'share'
    | 'password_reset'
    | 'email'
    | 'second_step'
  account_id: number
  /** Id of the session, key, user, ... */
  subject: string
  expires_at: number | null
}

/** At start, proves that the secret is the one that this database has been used with. */
export type SealedChecksTable = { name: string; sealed: string }

/** Recent attempts, by a hash of who tried what: each attempt moves the time at which all are forgotten. */
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
  /** Since when the password alone no longer signs in; null while it does. */
  second_factor_at: number | null
  /** JSON array, ascending: the accounts that they are a member of. */
  account_ids: string
  /** Sealed; null if no authenticator app is set up. */
  totp_secret: string | null
  totp_since: number | null
  /** The newest time step whose code was used: no code works twice. */
  totp_step: number | null
  /** Where they were last; null before that. The account or the space may be gone since. */
  place_account_id: number | null
  place_space_id: number | null
}

/** Each replaces another second factor for one sign-in. */
export type RecoveryCodesTable = { user_id: string; hash: string }

export type PasskeysTable = {
  user_id: string
  id: string
  /** As the authenticator named it, base64url. */
  credential_id: string
  name: string
  /** COSE, base64url. */
  public_key: string
  /** The authenticator's counter; 0 if it does not count. */
  counter: number
  /** JSON list. */
  transports: string
  /** 1 if it is synced between devices. */
  backed_up: number
  created_at: number
  last_used_at: number | null
}

/** Challenges that were used, kept until their expiry: none can be used twice. */
export type UsedChallengesTable = { hash: string; expires_at: number }

export type MembersTable = {
  account_id: number
  user_id: string
  role: Role
  created_at: number
  suspended_at: number | null
}

/** Invitations of people to become members; deleted when accepted or revoked. */
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
  /** The network where it began, too wide to identify a household; null if not recorded. */
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
  /** When it was replaced by a new key; it keeps working until `expires_at`. */
  rolled_at: number | null
  /** JSON list of rights; null for all that a key can have. */
  permissions: string | null
  /** JSON list of space numbers, the default one first; null for all. */
  spaces: string | null
  /** `propose` if what it writes waits for a review; null if not. */
  writes: string | null
  /** JSON: doors by space number, where they differ from the rest; null if none does. */
  doors: string | null
}

/** The newest call of a key, a connection or a personal key (by its person) in a space. */
export type DoorCallsTable = {
  account_id: number
  space_id: number
  credential: string
  at: number
  what: string
  is_refused: number
}

export type KeyCountsTable = {
  account_id: number
  key_id: string
  requests: number
  active_days: number
  last_used_at: number
  /** Operation and subject of the newest call; null before this was recorded. */
  last_operation: OperationType | null
  last_resource: string | null
}

/** Days (UTC) on which a key was used: what `active_days` counts. */
export type KeyDaysTable = { account_id: number; key_id: string; day: string }

/** Programs that registered themselves. Programs that were never connected, or not used for long, are deleted. */
export type OAuthClientsTable = {
  id: string
  /** JSON, as in RFC 7591. */
  metadata: string
  created_at: number
  expires_at: number
}

/** Pending authorization requests, and client proofs that were used. */
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
  /** Expiry of the longest-lived token. */
  expires_at: number
  /** As of `api_keys`. */
  writes: string | null
  /** 1 if it is held to reading, whatever its scopes. */
  is_read_only: number
}

export type OAuthTokenKind = 'oauth_code' | 'oauth_access' | 'oauth_refresh'

/** Codes, access tokens and refresh tokens; used ones are kept, so that reuse is detected. */
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

/** Operations per day, UTC; `response_us` is the sum of their response times in microseconds. */
export type OperationCountsTable = {
  account_id: number
  day: string
  operation: OperationType
  resource: string
  requests: number
  response_us: number
}

/** Operations per calendar month, UTC, which the plan limits. */
export type MonthCountsTable = { account_id: number; month: string; operations: number }

/** An account without a row has never paid. */
export type SubscriptionsTable = {
  account_id: number
  plan: string
  status: SubscriptionStatus
  /** Anchor of the periods: a 31st stays a 31st after a shorter month. */
  anchor: number | null
  period_start: number | null
  period_end: number | null
  /** Kept when the trial is over: an account has only one. */
  trial_end: number | null
  cancel_at_period_end: number
  pending_plan: string | null
  /** JSON; null if none waits for the bank's confirmation. */
  pending_upgrade: Generated<string | null>
  failed_payments: number
  /** When the sandbox has to act: the end of the period, or the next payment retry. */
  next_step_at: number | null
  invoices_made: number
  /** At Stripe. */
  customer_id: string | null
  subscription_id: string | null
  /** Numbers of the newest sync with Stripe that began, and of the newest whose result was stored. */
  syncs_begun: Generated<number>
  syncs_ended: Generated<number>
  /** Past due: when the payment is retried; null if it is not. */
  next_try_at: number | null
  /** The last paid plan before the free one, and when and why it ended. */
  ended_plan: string | null
  ended_at: number | null
  end_reason: EndReason | null
  /** Cents that pay later invoices; negative if the account owes less than the smallest charge. */
  credit: Generated<number>
  /** When the account is to be synced with Stripe next; null: only when something happens. */
  sync_due_at: Generated<number | null>
  /** Failed syncs since the last success, and when that was. */
  sync_tries: Generated<number>
  synced_at: Generated<number | null>
  /** JSON: notices to the owner on the billing screen. */
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
  /** Seller and buyer as they were when the invoice was created. */
  parties: string | null
  /** ISO 4217, in lower case. */
  currency: Generated<string>
}

/** The accounts of the books; docs/billing.md says what each holds. */
export type LedgerAccount =
  | 'receivable'
  | 'cash'
  | 'outside'
  | 'revenue'
  | 'tax'
  | 'refunds'
  | 'disputes'
  | 'losses'
  | 'fees'
  | 'credit'
  | 'adjustments'

export type LedgerKind =
  | 'invoiced'
  | 'taxed'
  | 'credit_moved'
  | 'paid'
  | 'paid_outside'
  | 'payment_failed'
  | 'fee'
  | 'refunded'
  | 'refund_failed'
  | 'disputed'
  | 'dispute_won'
  | 'dispute_lost'
  | 'credit_note'
  | 'credit_note_kept'
  | 'credit_note_refund'
  | 'credit_note_outside'
  | 'credit_note_tax'
  | 'voided'
  | 'voided_tax'
  | 'written_off'

/** A movement of money. Rows are only ever added. */
export type LedgerEntriesTable = {
  account_id: number
  /** Its source and kind, so nothing is entered twice. */
  id: string
  at: number
  kind: LedgerKind
  debit: LedgerAccount
  credit: LedgerAccount
  /** In the currency's minor unit; above zero. */
  amount: number
  /** ISO 4217, in lower case. */
  currency: string
  invoice_id: string | null
  /** The object at the gateway that the row follows. */
  source: string
}

/** How the books of an account compare with what its gateway says. */
export type LedgerChecksTable = {
  account_id: number
  checked_at: number
  /** JSON: a sentence each. */
  differences: string
  /** How many there are. */
  differing: number
}

/** The buyer; fields that were not given are empty. */
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

/** How far the sandbox's clock is ahead of the server's. */
export type TestClockTable = { name: string; offset_ms: number }

/** Events already processed, so that repeated ones are skipped. */
export type StripeEventsTable = { id: string; received_at: number }

export type WebhooksTable = {
  account_id: number
  id: string
  url: string
  description: string
  /** JSON list of events, or of `*`. */
  events: string
  /** JSON list of space numbers; null for all. */
  spaces: string | null
  /** A `deleted` endpoint is hidden until its deliveries are deleted. */
  status: WebhookStatus | 'deleted'
  disabled_reason: DisabledReason | null
  disabled_at: number | null
  /** AES-256-GCM under the master secret, since every request is signed with it. */
  secret: string
  /** The previous secret, which also signs until `old_secret_until`. */
  old_secret: string | null
  old_secret_until: number | null
  created_at: number
  /** When results were last stored; storing them locks the row. */
  recorded_at: number
  last_success_at: number | null
  /** The first failure after the newest success. */
  failing_since: number | null
  /** The earliest `next_attempt_at` of its deliveries. */
  retry_at: number | null
}

/** The change of a space up to which an endpoint has been sent everything; failed deliveries have rows of their own. */
export type WebhookCursorsTable = { account_id: number; webhook_id: string; space_id: number; seq: number }

/** Created by the first attempt. The payload is rebuilt from the change log. */
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
  /** The beginning of the newest response. */
  answer: string | null
  /** Null if there is nothing left to retry. */
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
  /** Grows with each change of the map and of the recalls. */
  news: Generated<number>
  /** When an agent first called over MCP. */
  agent_seen_at: number | null
  /** Number of indexed passages, and their total length in words. */
  passages: Generated<number>
  length: Generated<number>
  /** How many passages and words were ever indexed. Never decreases. */
  indexed: Generated<number>
  /** Version of the analyser that built the index. */
  index_version: number
  /** During a reindex: how far it has come, and where it ends. Passages in between are not indexed yet. */
  renewed_to: Generated<number | null>
  renewing_to: Generated<number | null>
  /** Versions that ended at or before this change are erased, since history is kept for a limited time. */
  history_from: Generated<number>
  /** `propose` if what is written waits for a review; null if not. */
  writes: string | null
  /** After how many days an open proposal is accepted without one; null for never. */
  auto_accept_days: number | null
  /** JSON list of the ids of members who may review; null for none. */
  reviewers: string | null
  /** When its deletion began: it is no longer found, and its rows are deleted in slices. */
  deleted_at: number | null
  /** 0 if the questions that agents ask are not kept. */
  keeps_recalls: Generated<number>
  /** Since when it is counted which facts are told; null if it is not. */
  counts_told_since: number | null
  /** Days that conversations are kept after their newest turn; null for as long as the server keeps them. */
  conversation_days: number | null
}

/** Authors of changes, interned, since each change set names one. */
export type ActorsTable = {
  account_id: number
  actor_id: number
  kind: string
  /** Id of the key, or of the person. */
  ref: string
  name: string
  /** The MCP client's name, as it reports itself, or ''. */
  client: string
}

/** How many entities (relations) have a type. */
export type TypeCountsTable = {
  account_id: number
  space_id: number
  kind: 'entity' | 'relation'
  type: string
  count: number
  /** Of entity types without a fixed colour. */
  colour: Generated<number | null>
}

/** A program that calls over MCP, by the name that it reports. */
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
/** Who is mailed each week what happened in a space. */
export type BriefMailsTable = {
  account_id: number
  space_id: number
  user_id: string
  next_at: number
  /** The newest change and the time of the last mail. */
  seq: number
  at: number
  tells_news: number
  tells_waiting: number
}

/** How far a person has read the changes of a space. */
export type BriefMarksTable = {
  account_id: number
  space_id: number
  user_id: string
  /** Everything up to this change is read, since `at`. */
  seq: number
  at: number
  /** Numbers of later changes that are read, a JSON list. */
  read_seqs: string
}

/** Questions that agents asked, with the ids of what they were told. */
export type RecallsTable = {
  account_id: number
  space_id: number
  id: string
  at: number
  actor_kind: string
  /** Id of the API key, the connection or the person. */
  actor_ref: string
  user_id: string
  /** The agent's name, as it reports itself. */
  client: string | null
  question: string
  /** The question in a form that is the same for questions that differ in case and punctuation. */
  asked: string
  /** JSON, as are the next three. */
  understood: string
  /** 1 if anything was told. */
  found: number
  rows_told: string
  /** The best observations that were found and not told. */
  rows_missed: string
  /** Ids of entities, best first. */
  entities: string
  /** Approximate length of what was told, and how long the answer took. */
  tokens: number
  ms: number
  /** The length asked for; 0 if there was no bound. */
  tokens_max: number
}

/** Created per day, UTC. */
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
  /** Names of entities merged into it, a JSON list; null for none. */
  aliases: string | null
  observations_count: number
  /** Number of relation ends at this entity. */
  degree: number
  /** Incremented by each change of the entity or its observations; its ETag. */
  version: number
  created_at: number
  updated_at: number
  /** The change that this version began with, and the number of observations after it. */
  since: number
  since_observations: number
}

/** The current names of merged entities: the contents of `entities.aliases`, for look-ups. */
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
  /** When it became true and when it stopped, as precisely as it was said: `2026-02`. */
  true_from: string | null
  true_until: string | null
  expires_at: number | null
  /** The observations whose place it takes, a JSON list of numbers. */
  replaces: string | null
  /** The observation that took its place: a current one that lists it in `replaces`. */
  replaced_by: number | null
  /** JSON. */
  files: string | null
  source: string | null
  /** The cited files that have changed or gone, JSON. */
  stale: string | null
  /** The repository of all its files; empty if they name several or none; null without files. */
  cited_repository: string | null
  /** `true_until` before it was replaced. */
  until_before: string | null
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

/** What was said, beside the graph: without history, and never edited. */
export type ConversationsTable = {
  account_id: number
  space_id: number
  id: number
  agent: string
  external_id: string
  /** Name of the project; null if there is none. */
  project: string | null
  project_path: string | null
  repository: string | null
  branch: string | null
  title: string
  started_at: number
  /** Time of its newest turn. */
  ended_at: number
  turns: number
  bytes: number
}

export type TurnsTable = {
  account_id: number
  space_id: number
  /** Grows in the order of insertion, which is the order of the conversation. */
  id: number
  conversation_id: number
  seq: number
  /** Hash of the id that the agent gave it. */
  external: string
  at: number
  role: string
  text: string
  /** JSON. */
  tool: string | null
  files: string | null
  /** Number of characters that were left out. */
  cut: number | null
}

/** The files that a conversation named; `name` is the last segment of the path. */
export type ConversationFilesTable = {
  account_id: number
  space_id: number
  conversation_id: number
  path: string
  name: string
}

/** A sentence of a turn that looks worth remembering, until it is kept or dropped and after. */
export type DraftsTable = {
  account_id: number
  space_id: number
  id: number
  conversation_id: number
  turn_id: number
  kind: string
  content: string
  /** Of the sentence in its simplest form: what was said and decided on once is not drafted again. */
  content_hash: string
  /** Time of the turn. */
  at: number
  status: string
  decided_at: number | null
}

/** A past version, valid for `since <= seq < until`. */
type Past<Table> = Table & { until: number }
export type PastEntitiesTable = Past<EntitiesTable>
export type PastObservationsTable = Past<ObservationsTable>
export type PastRelationsTable = Past<RelationsTable>

/** All changes of one call; `seq` is that of the first. */
export type ChangeSetsTable = {
  account_id: number
  space_id: number
  seq: number
  at: number
  actor_id: number
  /** The MCP tool that was called. */
  tool: string | null
  /** The actor whose proposal it applied; null if it applied none. */
  behalf_id: number | null
}

/** Only records that something happened; the states are in current and past rows. */
export type ChangesTable = {
  account_id: number
  space_id: number
  seq: number
  set_seq: number
  /** A number of `rows/operations.ts`. */
  operation: number
  subject_id: number
}

export type IdempotencyKeysTable = {
  account_id: number
  /** The space of the call, with which the response is deleted. */
  space_id: number
  key: string
  request_hash: string
  status: number
  headers: string
  body: string
  created_at: number
}

/**
 * The second and later passages of a long observation. The first, usually the only one, has the observation's number.
 */
export type PassagesTable = {
  account_id: number
  space_id: number
  id: number
  observation_id: number
  /** 1 for the second passage. */
  part: number
}

/**
 * When the account's counter was at `id`, the space's next one was `ordinal`: occasional rows to interpolate between.
 */
export type IndexMarksTable = { account_id: number; space_id: number; id: number; ordinal: number }

/** Statistics of the index of a space's turns, as those of its graph stand in `spaces`. */
export type TurnIndexesTable = {
  account_id: number
  space_id: number
  /** Ordinals taken by passages and words. */
  indexed: number
  passages: number
  length: number
  /** The version of the analyser, and the part not yet indexed while the index is rebuilt. */
  index_version: number
  renewed_to: number | null
  renewing_to: number | null
}

/** Words as written in the space, and the term that finds them. */
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
  /** The process that works on it; another takes over by writing a new value. */
  runner: string
  progress: string
  created_at: number
  updated_at: number
}

/** A model with everything that its vectors depend on. */
export type EmbeddersTable = {
  number: number
  /** Derived from the configuration; retired embedders have their number here. */
  identity: string
  /** Null until its first vectors have arrived. */
  dimensions: number | null
  /** 1: its vectors are in the database's own vector type. */
  is_native: number
  /** Why the newest attempt to compute vectors failed; null if it succeeded. */
  failure: string | null
  failed_at: number | null
}

/** Work that one process at a time can do, and until when its lease is valid without renewal. */
export type LeasesTable = { name: string; holder: string; expires_at: number }

/** Another installation that is being, or was, moved into this database; until it is `finished` nothing is served. */
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

/** Passages up to `embedded_to` that wait for a vector, because their text changed since. */
export type VectorGapsTable = { account_id: number; space_id: number; passage_id: number }

/** Written and read by `vectors.ts`. */
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

/** Names that people gave to regions of the graph, each by an entity in the region. */
export type RegionNamesTable = {
  account_id: number
  space_id: number
  entity_id: number
  name: string
  named_at: number
}

/** `places` counts those in all parts; `regions` is JSON: pairs of the entity that each is named after, and a tint. */
export type GraphMapsTable = {
  account_id: number
  space_id: number
  version: number
  places: number
  regions: string
}

/** `entities` is a JSON list of numbers; `as_of` is the moment shown, null for the present. */
export type SharesTable = {
  account_id: number
  space_id: number
  id: string
  token_hash: string
  kind: 'region' | 'path' | 'entity' | 'date'
  title: string
  note: string
  entities: string
  as_of: number | null
  created_by: string
  created_at: number
  expires_at: number | null
}

/** Places of entities whose numbers divided by 1,024 are `part`, in base 64: see `encodePlaces` of the contract. */
export type GraphMapPartsTable = {
  account_id: number
  space_id: number
  part: number
  places: string
}

/** An act in an account, and who did it. */
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

/** Pairs of entities, the lower number first, that somebody marked as different things. */
/** What a check of the memory found and somebody left as it is. */
export type DismissedHealthTable = {
  account_id: number
  space_id: number
  item_id: string
  dismissed_at: number
}

export type DismissedDuplicatesTable = {
  account_id: number
  space_id: number
  first_id: number
  second_id: number
  dismissed_at: number
}

/** A change set that is not applied, or was decided on. Steps: see `memory/proposals/proposed-steps.ts`. */
export type ProposalsTable = {
  account_id: number
  space_id: number
  /** From the account's counter of subjects, so proposals are in the order of their ids. */
  id: number
  /** 0 open, 1 accepted, 2 rejected. */
  status: number
  at: number
  actor_id: number
  /** Of the actor: the kind of caller, and the id of its key, connection or person. */
  kind: string
  ref: string
  /** The person behind the caller. */
  user_id: string
  tool: string | null
  /** Number of the newest change of the space when it was made. */
  base_seq: number
  steps: string
  steps_count: number
  /** JSON list of the numbers of proposals that have to be accepted before it; null for none. */
  rests_on: string | null
  note: string | null
  decided_at: number | null
  /** The actor; null if nobody decided. */
  decided_by: number | null
  set_seq: number | null
  /** From the account's counter of subjects, when it was decided on. */
  news_id: number | null
  /** Number of the conversation that its first fact with a source names. */
  conversation_id: number | null
}

/** What a caller adds to entities of a type is accepted at once. */
export type AcceptRulesTable = {
  account_id: number
  space_id: number
  id: string
  /** Of the proposer, as in `proposals`. */
  kind: string
  ref: string
  /** As it was when the rule was made, for its name. */
  actor_id: number
  /** Type of entity. */
  type: string
  /** The person who made it; it ends when they may not review any more. */
  created_by: string
  created_at: number
}

/** What a proposal concerns: the rows that it changes, and the entities that these belong to. */
export type ProposalSubjectsTable = {
  account_id: number
  space_id: number
  subject_id: number
  /** Of the proposal. */
  status: number
  proposal_id: number
  /** 1 if the proposal creates it. */
  is_new: number
  /** The new name of an entity that it creates or renames. */
  name: string | null
}

/** How often recall has told a fact. */
export type ToldFactsTable = {
  account_id: number
  space_id: number
  observation_id: number
  times: number
}
