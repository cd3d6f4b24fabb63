export type EntityFilter = { query?: string; type?: string }
export type RelationFilter = { query?: string; type?: string }
/** `kind` and `since` are choices of the screen; the rest is asked for as it is. */
export type HistoryFilter = {
  kind?: string | undefined
  since?: string | undefined
  client?: string | undefined
  actorId?: string | undefined
  entityId?: string | undefined
}
export type SearchFilter = { query?: string; type?: string; after?: string; before?: string }

/** The key of every query. Screens ask by them, live events renew by them. */
export const queryKeys = {
  entities: ['entities'] as const,
  entityLists: ['entities', 'list'] as const,
  entityList: (filter: EntityFilter) => ['entities', 'list', filter] as const,
  entityTypes: ['entities', 'types'] as const,
  entity: (id: string) => ['entities', 'one', id] as const,
  entityOptions: (query: string) => ['entities', 'options', query] as const,
  relations: ['relations'] as const,
  relationLists: ['relations', 'list'] as const,
  relationList: (filter: RelationFilter) => ['relations', 'list', filter] as const,
  relationTypes: ['relations', 'types'] as const,
  relationsOfEntities: ['relations', 'of'] as const,
  relationsOf: (entityId: string) => ['relations', 'of', entityId] as const,
  graph: ['graph'] as const,
  graphData: ['graph', 'data'] as const,
  graphOf: (limit: number, depth: number) => ['graph', 'data', limit, depth] as const,
  graphExpansion: (id: string) => ['graph', 'expansion', id] as const,
  graphPath: (from: string, to: string) => ['graph', 'path', from, to] as const,
  entityGraph: (id: string) => ['graph', 'around', id] as const,
  search: ['search'] as const,
  embeddings: ['embeddings'] as const,
  searchResults: (filter: SearchFilter) => ['search', filter] as const,
  analytics: ['analytics'] as const,
  summary: ['analytics', 'summary'] as const,
  usage: ['analytics', 'usage'] as const,
  learned: ['analytics', 'learned'] as const,
  agentSeen: ['agents', 'seen'] as const,
  keys: ['keys'] as const,
  keySecrets: ['key-secrets'] as const,
  webhooks: ['webhooks'] as const,
  webhookList: ['webhooks', 'list'] as const,
  webhook: (id: string) => ['webhooks', 'one', id] as const,
  deliveryList: (id: string, status: string | undefined) => ['webhooks', 'deliveries', id, status] as const,
  delivery: (id: string, deliveryId: string) => ['webhooks', 'delivery', id, deliveryId] as const,
  sessions: ['sessions'] as const,
  history: ['history'] as const,
  historyList: (filter: HistoryFilter) => ['history', filter] as const,
  import: (id: string) => ['import', id] as const,
  billing: ['billing'] as const,
  subscription: ['billing', 'subscription'] as const,
  plans: ['billing', 'plans'] as const,
  paymentMethods: ['billing', 'payment-methods'] as const,
  invoices: ['billing', 'invoices'] as const,
  billingDetails: ['billing', 'details'] as const,
  testClock: ['billing', 'test-clock'] as const,
  setupIntent: ['setup-intent'] as const,
}
