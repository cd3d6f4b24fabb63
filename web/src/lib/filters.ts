import type { AuditFilters } from '@loci/contract/audit'
import type { ChangeFilters } from '@loci/contract/changes'

/*
 * What narrows the list of each screen, once: addresses, query keys and queries take the names from here. A filter of
 * the contract's is a key of the type as soon as it is declared there.
 */

type Texts<Name extends string> = { [K in Name]?: string | undefined }

const namesOf = <Filter>(names: Record<keyof Filter & string, true>) =>
  Object.keys(names) as (keyof Filter & string)[]

/** With `asOf` it is a list of the past, which never changes. */
export type EntityFilter = { query?: string; type?: string; sort?: string; order?: string; asOf?: string }
export const entityFilters = namesOf<EntityFilter>({
  query: true,
  type: true,
  sort: true,
  order: true,
  asOf: true,
})

export type RelationFilter = { query?: string; type?: string; asOf?: string }
export const relationFilters = namesOf<RelationFilter>({ query: true, type: true, asOf: true })

/** `kind` is a choice of the screen, `after` and `before` are days, both inclusive; the rest is sent unchanged. */
export type HistoryFilter = Texts<'kind' | Exclude<keyof ChangeFilters, 'operation' | 'setId'>>
export const historyFilters = namesOf<HistoryFilter>({
  kind: true,
  after: true,
  before: true,
  client: true,
  actorId: true,
  entityId: true,
  tool: true,
})

/** `since` is a choice of the screen. */
export type AuditFilter = Texts<'since'> & Omit<AuditFilters, 'actions' | 'after' | 'before'>
export const auditFilters = namesOf<AuditFilter>({ category: true, userId: true, since: true })

/** `by` is a choice of the screen: the writer's name. */
export type SearchFilter = Texts<'query' | 'type' | 'by' | 'after' | 'before'>
export const searchFilters = namesOf<SearchFilter>({
  query: true,
  type: true,
  by: true,
  after: true,
  before: true,
})

/** `after` and `before` are days, both inclusive. `order` is what the list is grouped by; by day if absent. */
export type ConversationFilter = Texts<
  'query' | 'project' | 'agent' | 'file' | 'after' | 'before' | 'only' | 'order'
>
export const conversationFilters = namesOf<ConversationFilter>({
  query: true,
  project: true,
  agent: true,
  file: true,
  after: true,
  before: true,
  only: true,
  order: true,
})

/** `show`: what is decided already; what waits if absent. */
export type InboxFilter = Texts<'show' | 'agent'>
export const inboxFilters = namesOf<InboxFilter>({ show: true, agent: true })
