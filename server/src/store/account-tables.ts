import type { Database } from './schema.ts'

/**
 * The tables whose rows belong to an account, with the columns of their primary key after the account's number. They
 * can be emptied in this order: referencing tables come first.
 */
export const accountTables = {
  // Before its deliveries: results are stored only for an existing endpoint.
  webhooks: ['id'],
  webhook_deliveries: ['webhook_id', 'id'],
  webhook_cursors: ['webhook_id', 'space_id'],
  turns: ['space_id', 'id'],
  conversation_files: ['space_id', 'conversation_id', 'path'],
  conversations: ['space_id', 'id'],
  passages: ['space_id', 'id'],
  index_marks: ['space_id', 'id'],
  search_words: ['space_id', 'word'],
  relations: ['space_id', 'id'],
  observations: ['space_id', 'id'],
  // After the observations, since the vectors of existing ones would be computed again.
  vectors: ['space_id', 'passage_id', 'embedder'],
  vector_gaps: ['space_id', 'passage_id'],
  vector_spaces: ['space_id', 'embedder'],
  aliases: ['space_id', 'name'],
  entities: ['space_id', 'id'],
  past_relations: ['space_id', 'id', 'since'],
  past_observations: ['space_id', 'id', 'since'],
  past_entities: ['space_id', 'id', 'since'],
  changes: ['space_id', 'seq'],
  change_sets: ['space_id', 'seq'],
  type_counts: ['space_id', 'kind', 'type'],
  daily_counts: ['space_id', 'day'],
  imports: ['space_id', 'id'],
  recalls: ['space_id', 'id'],
  agents: ['name'],
  views: ['space_id', 'id'],
  region_names: ['space_id', 'entity_id'],
  dismissed_duplicates: ['space_id', 'first_id', 'second_id'],
  actors: ['actor_id'],
  idempotency_keys: ['key'],
  key_days: ['key_id', 'day'],
  key_counts: ['key_id'],
  api_keys: ['id'],
  oauth_tokens: ['hash'],
  oauth_grants: ['id'],
  sessions: ['id'],
  invitations: ['id'],
  members: ['user_id'],
  operation_counts: ['day', 'operation', 'resource'],
  month_counts: ['month'],
  setup_intents: ['secret_hash'],
  checkouts: ['token_hash'],
  mails: ['id'],
  audit_events: ['id'],
  billing_details: [],
  invoice_items: ['id'],
  invoices: ['id'],
  payment_methods: ['id'],
  subscriptions: [],
  spaces: ['space_id'],
} as const satisfies Partial<{ [Table in keyof Database]: readonly (keyof Database[Table] & string)[] }>

export type AccountTable = keyof typeof accountTables
