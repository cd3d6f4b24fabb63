import type {
  AuditFilter,
  ConversationFilter,
  EntityFilter,
  HistoryFilter,
  RelationFilter,
  SearchFilter,
} from './filters.ts'
import { currentScope } from './scope.ts'

/** A key for data of the current space. */
function ofSpace<const Parts extends readonly unknown[]>(...parts: Parts) {
  const { account = '', space = '' } = currentScope()
  return [account, space, ...parts] as const
}

/** A key for data that all spaces of the current account share. */
function ofAccount<const Parts extends readonly unknown[]>(...parts: Parts) {
  return [currentScope().account ?? '', '*', ...parts] as const
}

/** Live events apply to lists of the present only. */
const listOf = ({ asOf }: { asOf?: string }) => (asOf === undefined ? 'list' : 'past')

/**
 * The keys of all queries: account and space, then the request. Screens query by them, live events invalidate
 * by them. The scope changes, so do not keep one in a constant.
 */
export const queryKeys = {
  /** Everything in the current space. */
  space: () => ofSpace(),
  entities: () => ofSpace('entities'),
  entityLists: () => ofSpace('entities', 'list'),
  entityList: (filter: EntityFilter) => ofSpace('entities', listOf(filter), filter),
  entityTypes: () => ofSpace('entities', 'types'),
  entity: (id: string) => ofSpace('entities', 'one', id),
  entitiesFound: (query: string) => ofSpace('entities', 'found', query),
  duplicates: () => ofSpace('duplicates'),
  health: () => ofSpace('health'),
  healthOf: (kind: string | undefined) => ofSpace('health', kind ?? ''),
  relations: () => ofSpace('relations'),
  relationLists: () => ofSpace('relations', 'list'),
  relationList: (filter: RelationFilter) => ofSpace('relations', listOf(filter), filter),
  relationTypes: () => ofSpace('relations', 'types'),
  relationsOfEntities: () => ofSpace('relations', 'of'),
  relationsOf: (entityId: string) => ofSpace('relations', 'of', entityId),
  graph: () => ofSpace('graph'),
  graphData: () => ofSpace('graph', 'data'),
  graphOf: (limit: number, depth: number) => ofSpace('graph', 'data', limit, depth),
  graphExpansion: (id: string) => ofSpace('graph', 'expansion', id),
  shares: () => ofSpace('shares'),
  graphMap: () => ofSpace('map'),
  views: () => ofSpace('views'),
  graphNote: (ids: string) => ofSpace('graph', 'note', ids),
  graphPath: (from: string, to: string) => ofSpace('graph', 'path', from, to),
  entityGraphs: () => ofSpace('graph', 'around'),
  entityGraph: (id: string) => ofSpace('graph', 'around', id),
  /** Data of the past, which no current change affects. */
  past: (asOf: string, ...parts: string[]) => ofSpace('past', asOf, ...parts),
  search: () => ofSpace('search'),
  recalls: () => ofSpace('recalls'),
  recallList: (found: string | undefined) => ofSpace('recalls', 'list', found),
  recallsOfGraph: () => ofSpace('recalls', 'of graph'),
  recall: (id: string) => ofSpace('recalls', 'one', id),
  briefMail: () => ofSpace('brief-mail'),
  brief: () => ofSpace('brief'),
  briefNews: () => ofSpace('brief-news'),
  waitingProposals: () => ofSpace('waiting', 'proposals'),
  waitingDrafts: () => ofSpace('waiting', 'drafts'),
  waitingStale: () => ofSpace('waiting', 'stale'),
  unanswered: () => ofSpace('recalls', 'unanswered'),
  embeddings: () => ofAccount('embeddings'),
  embeddingsChoice: () => ofAccount('embeddings-choice'),
  searchResults: (filter: SearchFilter) => ofSpace('search', filter),
  analytics: () => ofSpace('analytics'),
  summary: () => ofSpace('analytics', 'summary'),
  usageDays: () => ofSpace('analytics', 'days'),
  usage: () => ofSpace('analytics', 'usage'),
  learnedBy: (agent: string) => ofSpace('analytics', 'learned', agent),
  agents: () => ofSpace('agents'),
  keys: () => ofAccount('keys'),
  memoryKey: () => ofSpace('memory-key'),
  keySecrets: () => ofAccount('key-secrets'),
  webhooks: () => ofAccount('webhooks'),
  connections: () => ofAccount('connections'),
  connectionList: (all: boolean) => ofAccount('connections', 'list', all),
  connectionRequest: (id: string) => ofAccount('connections', 'request', id),
  webhookList: () => ofAccount('webhooks', 'list'),
  webhook: (id: string) => ofAccount('webhooks', 'one', id),
  deliveryList: (id: string, status: string | undefined) => ofAccount('webhooks', 'deliveries', id, status),
  delivery: (id: string, deliveryId: string) => ofAccount('webhooks', 'delivery', id, deliveryId),
  members: () => ofAccount('members'),
  audit: (filter: AuditFilter) => ofAccount('audit', filter),
  sessions: () => ofAccount('sessions'),
  confirmation: () => ofAccount('confirmation'),
  secondFactors: () => ofAccount('second-factors'),
  spaces: () => ofAccount('spaces'),
  doorsOf: (account: string) => ['', '*', 'doors', account] as const,
  spacesOf: (account: string) => ['', '*', 'spaces', account] as const,
  history: () => ofSpace('history'),
  historyList: (filter: HistoryFilter) => ofSpace('history', filter),
  historyCounts: (period: Pick<HistoryFilter, 'after' | 'before'>) => ofSpace('history', 'counts', period),
  conversations: () => ofSpace('conversations'),
  conversationList: (filter: ConversationFilter) => ofSpace('conversations', 'list', filter),
  conversation: (id: string, around: string | undefined) => ofSpace('conversations', 'one', id, around),
  turnSearch: (filter: ConversationFilter) => ofSpace('conversations', 'search', filter),
  proposals: () => ofSpace('proposals'),
  proposalList: (status: string) => ofSpace('proposals', 'list', status),
  draftList: (status: string) => ofSpace('proposals', 'drafts', status),
  conversationDrafts: (id: string) => ofSpace('proposals', 'drafts', 'conversation', id),
  conversationProposals: (id: string) => ofSpace('proposals', 'conversation', id),
  openCount: () => ofSpace('proposals', 'open'),
  acceptRules: () => ofSpace('proposals', 'rules'),
  decidedToday: () => ofSpace('proposals', 'decided-today'),
  conversationTitle: (id: string) => ofSpace('conversations', 'title', id),
  sourceTurn: (id: string, turnId: string) => ofSpace('conversations', 'turn', id, turnId),
  latestConversation: () => ofSpace('conversations', 'latest'),
  conversationCounts: () => ofSpace('conversations', 'counts'),
  conversationMatches: (id: string, text: string | undefined) =>
    ofSpace('conversations', 'matches', id, text),
  conversationFacts: (id: string) => ofSpace('conversations', 'facts', id),
  import: (id: string) => ofSpace('import', id),
  billing: () => ofAccount('billing'),
  subscription: () => ofAccount('billing', 'subscription'),
  plans: () => ofAccount('billing', 'plans'),
  paymentMethods: () => ofAccount('billing', 'payment-methods'),
  invoices: () => ofAccount('billing', 'invoices'),
  billingDetails: () => ofAccount('billing', 'details'),
  testClock: () => ofAccount('billing', 'test-clock'),
  setupIntent: () => ofAccount('setup-intent'),
}
