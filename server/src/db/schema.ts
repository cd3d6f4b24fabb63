/**
 * Columns are portable: text ids, integer milliseconds for time, JSON as text, 0 or 1 for truth. The account leads
 * every key of a tenant's table, then the space.
 */
export type Database = {
  accounts: AccountsTable
  account_counters: AccountCountersTable
  users: UsersTable
  members: MembersTable
  sessions: SessionsTable
  api_keys: ApiKeysTable
  spaces: SpacesTable
  space_counters: SpaceCountersTable
  type_counts: TypeCountsTable
  daily_counts: DailyCountsTable
  entities: EntitiesTable
  observations: ObservationsTable
  relations: RelationsTable
  changes: ChangesTable
  idempotency_keys: IdempotencyKeysTable
}

export type AccountsTable = {
  id: string
  plan: string
  /** 1 while no person owns it: what `loci mcp` stored before anyone signed up. */
  unclaimed: number
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
}

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
