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
 * by them. They are computed on access because the scope changes, so do not keep one in a constant.
 */
export const queryKeys = {
  /** Everything in the current space. */
  get space() {
    return ofSpace()
  },
  get entities() {
    return ofSpace('entities')
  },
  get entityLists() {
    return ofSpace('entities', 'list')
  },
  entityList: (filter: EntityFilter) => ofSpace('entities', listOf(filter), filter),
  get entityTypes() {
    return ofSpace('entities', 'types')
  },
  entity: (id: string) => ofSpace('entities', 'one', id),
  entityOptions: (query: string) => ofSpace('entities', 'options', query),
  get duplicates() {
    return ofSpace('duplicates')
  },
  get health() {
    return ofSpace('health')
  },
  healthOf: (kind: string | undefined) => ofSpace('health', kind ?? ''),
  get relations() {
    return ofSpace('relations')
  },
  get relationLists() {
    return ofSpace('relations', 'list')
  },
  relationList: (filter: RelationFilter) => ofSpace('relations', listOf(filter), filter),
  get relationTypes() {
    return ofSpace('relations', 'types')
  },
  get relationsOfEntities() {
    return ofSpace('relations', 'of')
  },
  relationsOf: (entityId: string) => ofSpace('relations', 'of', entityId),
  get graph() {
    return ofSpace('graph')
  },
  get graphData() {
    return ofSpace('graph', 'data')
  },
  graphOf: (limit: number, depth: number) => ofSpace('graph', 'data', limit, depth),
  graphExpansion: (id: string) => ofSpace('graph', 'expansion', id),
  get shares() {
    return ofSpace('shares')
  },
  get graphMap() {
    return ofSpace('map')
  },
  get views() {
    return ofSpace('views')
  },
  graphNote: (ids: string) => ofSpace('graph', 'note', ids),
  graphPath: (from: string, to: string) => ofSpace('graph', 'path', from, to),
  get entityGraphs() {
    return ofSpace('graph', 'around')
  },
  entityGraph: (id: string) => ofSpace('graph', 'around', id),
  /** Data of the past, which no current change affects. */
  past: (asOf: string, ...parts: string[]) => ofSpace('past', asOf, ...parts),
  get search() {
    return ofSpace('search')
  },
  get recalls() {
    return ofSpace('recalls')
  },
  recallList: (found: string | undefined) => ofSpace('recalls', 'list', found),
  get recallsOfGraph() {
    return ofSpace('recalls', 'of graph')
  },
  recall: (id: string) => ofSpace('recalls', 'one', id),
  get briefMail() {
    return ofSpace('brief-mail')
  },
  get brief() {
    return ofSpace('brief')
  },
  get briefNews() {
    return ofSpace('brief-news')
  },
  get waitingProposals() {
    return ofSpace('waiting', 'proposals')
  },
  get waitingDrafts() {
    return ofSpace('waiting', 'drafts')
  },
  get waitingStale() {
    return ofSpace('waiting', 'stale')
  },
  get unanswered() {
    return ofSpace('recalls', 'unanswered')
  },
  get embeddings() {
    return ofAccount('embeddings')
  },
  get embeddingsChoice() {
    return ofAccount('embeddings-choice')
  },
  searchResults: (filter: SearchFilter) => ofSpace('search', filter),
  get analytics() {
    return ofSpace('analytics')
  },
  get summary() {
    return ofSpace('analytics', 'summary')
  },
  get usageDays() {
    return ofSpace('analytics', 'days')
  },
  get usage() {
    return ofSpace('analytics', 'usage')
  },
  learnedBy: (agent: string) => ofSpace('analytics', 'learned', agent),
  get agents() {
    return ofSpace('agents')
  },
  get keys() {
    return ofAccount('keys')
  },
  get memoryKey() {
    return ofSpace('memory-key')
  },
  get keySecrets() {
    return ofAccount('key-secrets')
  },
  get webhooks() {
    return ofAccount('webhooks')
  },
  get connections() {
    return ofAccount('connections')
  },
  connectionList: (all: boolean) => ofAccount('connections', 'list', all),
  connectionRequest: (id: string) => ofAccount('connections', 'request', id),
  get webhookList() {
    return ofAccount('webhooks', 'list')
  },
  webhook: (id: string) => ofAccount('webhooks', 'one', id),
  deliveryList: (id: string, status: string | undefined) => ofAccount('webhooks', 'deliveries', id, status),
  delivery: (id: string, deliveryId: string) => ofAccount('webhooks', 'delivery', id, deliveryId),
  get members() {
    return ofAccount('members')
  },
  audit: (filter: AuditFilter) => ofAccount('audit', filter),
  get sessions() {
    return ofAccount('sessions')
  },
  get secondFactors() {
    return ofAccount('second-factors')
  },
  get spaces() {
    return ofAccount('spaces')
  },
  doorsOf: (account: string) => ['', '*', 'doors', account] as const,
  spacesOf: (account: string) => ['', '*', 'spaces', account] as const,
  get history() {
    return ofSpace('history')
  },
  historyList: (filter: HistoryFilter) => ofSpace('history', filter),
  historyCounts: (period: Pick<HistoryFilter, 'after' | 'before'>) => ofSpace('history', 'counts', period),
  get conversations() {
    return ofSpace('conversations')
  },
  conversationList: (filter: ConversationFilter) => ofSpace('conversations', 'list', filter),
  conversation: (id: string, around: string | undefined) => ofSpace('conversations', 'one', id, around),
  turnSearch: (filter: ConversationFilter) => ofSpace('conversations', 'search', filter),
  get proposals() {
    return ofSpace('proposals')
  },
  proposalList: (status: string) => ofSpace('proposals', 'list', status),
  draftList: (status: string) => ofSpace('proposals', 'drafts', status),
  conversationDrafts: (id: string) => ofSpace('proposals', 'drafts', 'conversation', id),
  conversationProposals: (id: string) => ofSpace('proposals', 'conversation', id),
  get openCount() {
    return ofSpace('proposals', 'open')
  },
  get acceptRules() {
    return ofSpace('proposals', 'rules')
  },
  get decidedToday() {
    return ofSpace('proposals', 'decided-today')
  },
  conversationTitle: (id: string) => ofSpace('conversations', 'title', id),
  sourceTurn: (id: string, turnId: string) => ofSpace('conversations', 'turn', id, turnId),
  get latestConversation() {
    return ofSpace('conversations', 'latest')
  },
  get conversationCounts() {
    return ofSpace('conversations', 'counts')
  },
  conversationMatches: (id: string, text: string | undefined) =>
    ofSpace('conversations', 'matches', id, text),
  conversationFacts: (id: string) => ofSpace('conversations', 'facts', id),
  import: (id: string) => ofSpace('import', id),
  get billing() {
    return ofAccount('billing')
  },
  get subscription() {
    return ofAccount('billing', 'subscription')
  },
  get plans() {
    return ofAccount('billing', 'plans')
  },
  get paymentMethods() {
    return ofAccount('billing', 'payment-methods')
  },
  get invoices() {
    return ofAccount('billing', 'invoices')
  },
  get billingDetails() {
    return ofAccount('billing', 'details')
  },
  get testClock() {
    return ofAccount('billing', 'test-clock')
  },
  get setupIntent() {
    return ofAccount('setup-intent')
  },
}
