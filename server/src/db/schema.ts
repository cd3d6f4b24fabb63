import type { OperationType } from '@loci/contract/analytics'
import type { InvoiceStatus, SubscriptionStatus } from '@loci/contract/billing'
import type { Generated } from 'kysely'

/**
 * Columns are portable: text ids, integer milliseconds for time, JSON as text, 0 or 1 for truth. The account leads
 * every key of a tenant's table, then the space; in the search index the space's number stands for both.
 */
export type Database = {
  accounts: AccountsTable
  account_counters: AccountCountersTable
  users: UsersTable
  members: MembersTable
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
  spaces: SpacesTable
  space_counters: SpaceCountersTable
  type_counts: TypeCountsTable
  daily_counts: DailyCountsTable
  entities: EntitiesTable
  observations: ObservationsTable
  relations: RelationsTable
  changes: ChangesTable
  idempotency_keys: IdempotencyKeysTable
  search_spaces: SearchSpacesTable
  passages: PassagesTable
  search_words: SearchWordsTable
  imports: ImportsTable
  embedders: EmbeddersTable
  leases: LeasesTable
  vector_spaces: VectorSpacesTable
  vectors: VectorsTable
}

export type AccountsTable = {
  id: string
  plan: string
  /** 1 while no person owns it: what `loci mcp` stored before anyone signed up. */
  unclaimed: number
  /** When an agent first called over MCP. */
  agent_seen_at: number | null
  created_at: number
}

/** The row that every writer of the account locks first. */
export type AccountCountersTable = { account_id: string; entities: number }

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
}

export type MembersTable = {
  account_id: string
  user_id: string
  role: 'owner' | 'member'
  created_at: number
}

export type SessionsTable = {
  token_hash: string
  id: string
  account_id: string
  user_id: string
  user_agent: string
  created_at: number
  last_seen_at: number
  expires_at: number
}

export type ApiKeysTable = {
  account_id: string
  id: string
  name: string
  key_hash: string
  preview: string
  created_by: string
  created_at: number
  expires_at: number | null
  /** When it was replaced by a new key; it works on until `expires_at`. */
  rolled_at: number | null
}

export type KeyCountsTable = {
  account_id: string
  key_id: string
  requests: number
  active_days: number
  last_used_at: number
}

/** Days (UTC) on which a key was used: what `active_days` counts. */
export type KeyDaysTable = { account_id: string; key_id: string; day: string }

/** Operations a day, UTC; `response_us` is the sum of their response times in microseconds. */
export type OperationCountsTable = {
  account_id: string
  day: string
  operation: OperationType
  resource: string
  requests: number
  response_us: number
}

/** Operations a calendar month, UTC: what the plan's limit is held against. */
export type MonthCountsTable = { account_id: string; month: string; operations: number }

/** An account without a row has never paid. */
export type SubscriptionsTable = {
  account_id: string
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
}

export type PaymentMethodsTable = {
  account_id: string
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
  account_id: string
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
}

/** Amounts that wait for the next invoice. */
export type InvoiceItemsTable = { account_id: string; id: string; description: string; amount: number }

export type SetupIntentsTable = { account_id: string; secret_hash: string; expires_at: number }

export type CheckoutsTable = {
  token_hash: string
  account_id: string
  plan: string
  success_url: string
  cancel_url: string
  completed_at: number | null
  expires_at: number
}

/** Events that were dealt with, so that a repeated one is not. */
export type StripeEventsTable = { id: string; received_at: number }

export type SpacesTable = { account_id: string; id: string; name: string; created_at: number }

export type SpaceCountersTable = {
  account_id: string
  space_id: string
  entities: number
  relations: number
  observations: number
  /** Number of the newest change. */
  seq: number
}

/** How many entities (relations) have a type. */
export type TypeCountsTable = {
  account_id: string
  space_id: string
  kind: 'entity' | 'relation'
  type: string
  count: number
}

/** Entities created a day, UTC. */
export type DailyCountsTable = { account_id: string; space_id: string; day: string; entities_created: number }

export type EntitiesTable = {
  account_id: string
  space_id: string
  id: string
  name: string
  type: string
  metadata: string
  observations_count: number
  /** Number of relation ends at this entity. */
  degree: number
  /** Grows with each change of the entity or its observations; its ETag. */
  version: number
  created_at: number
  updated_at: number
}

export type ObservationsTable = {
  account_id: string
  space_id: string
  /** Grows in the order of insertion. */
  id: string
  entity_id: string
  content: string
  metadata: string | null
  created_at: number
}

export type RelationsTable = {
  account_id: string
  space_id: string
  id: string
  from_id: string
  to_id: string
  type: string
  created_at: number
}

export type ChangesTable = {
  account_id: string
  space_id: string
  seq: number
  at: number
  actor: string
  operation: string
  subject_id: string
  before: string | null
  after: string | null
}

export type IdempotencyKeysTable = {
  account_id: string
  key: string
  request_hash: string
  status: number
  headers: string
  body: string
  created_at: number
}

/** What is searched in a space: how many passages there are and how long they are together, in words. */
export type SearchSpacesTable = {
  /** Stands for the space in the keys of the index; a space whose index is made anew gets another. */
  number: Generated<number>
  account_id: string
  space_id: string
  /** Id of the next passage or word. */
  next_id: number
  passages: number
  length: number
  /** Of the analyser that made the index. */
  version: number
}

/**
 * A piece of an observation of at most 100 words; or, with an empty `observation_id`, an entity's name, type and
 * metadata.
 */
export type PassagesTable = {
  space_number: number
  /** Unique among passages and words of the space. */
  id: number
  entity_id: string
  observation_id: string
  /** Place among the passages of the entity, in order of insertion. */
  position: number
  created_at: number
  length: number
  /** How many passages the observation consists of. */
  pieces: number
  /** Analysed terms, separated by spaces, in the order of the text. */
  terms: string
}

/** Words as they are written in the space, and the term they are found by. */
export type SearchWordsTable = {
  space_number: number
  word: string
  term: string
  /** Unique among words and passages of the space. */
  id: number
}

export type ImportsTable = {
  account_id: string
  space_id: string
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

/** Passages up to the id `embedded_to` have their vectors. */
export type VectorSpacesTable = {
  account_id: string
  space_id: string
  embedder: number
  embedded_to: number
}

/** Written and read by `dialect.vectors`. */
export type VectorsTable = { space_number: number; passage_id: number; embedder: number }
