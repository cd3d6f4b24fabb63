import type { Conversation, Turn } from '@loci/contract/conversations'
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, uploadingApi } from '../../lib/api.ts'
import { momentsOf } from '../../lib/days.ts'
import type { ConversationFilter } from '../../lib/filters.ts'
import { pagingOptions } from '../../lib/pages.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useMay } from '../../lib/rights.ts'
import { useChange } from '../../lib/use-change.ts'
import { onlyIn, orderIn } from './conversations.rules.ts'

const conversationsPerPage = '100'
const turnsPerPage = '100'
const refetchMs = 60_000

/** Conversations, the newest first or by project or agent. */
export function useConversations(filter: ConversationFilter) {
  const { query, project, agent, file } = filter
  const { begin, end } = momentsOf(filter)
  const [only, order] = [onlyIn(filter.only), orderIn(filter.order)]
  return useInfiniteQuery({
    queryKey: queryKeys.conversationList(filter),
    queryFn: ({ pageParam, signal }) =>
      api.listConversations({
        query: {
          query,
          project,
          agent,
          file,
          only,
          order,
          after: begin,
          before: end,
          limit: conversationsPerPage,
          cursor: pageParam,
        },
        signal,
      }),
    ...pagingOptions,
    // Agents are at work meanwhile. Who has read on looks at what is over.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? refetchMs : false),
  })
}

export const conversationsOf = (data: { pages: { conversations: Conversation[] }[] } | undefined) =>
  data?.pages.flatMap(({ conversations }) => conversations) ?? []

/** A conversation from its beginning, or around a turn; both ends can be read on. */
export function useConversation(id: string, around: string | undefined) {
  return useInfiniteQuery({
    queryKey: queryKeys.conversation(id, around),
    queryFn: ({ pageParam, signal }) => {
      const place = pageParam === undefined ? { around } : { cursor: pageParam }
      return api.readConversation({ params: { id }, query: { ...place, limit: turnsPerPage }, signal })
    },
    ...pagingOptions,
    getPreviousPageParam: ({ previousCursor }) => previousCursor ?? undefined,
  })
}

export const turnsOf = (data: { pages: { turns: Turn[] }[] } | undefined): Turn[] =>
  data?.pages.flatMap(({ turns }) => turns) ?? []

/** The turns that contain a text, in order. */
export function useMatches(id: string, text: string | undefined) {
  return useQuery({
    queryKey: queryKeys.conversationMatches(id, text),
    queryFn: ({ signal }) => api.findInConversation({ params: { id }, query: { query: text }, signal }),
    enabled: text !== undefined,
  })
}

/** `erase` leaves nothing of it in the files of the database; neither can be undone. */
export type Removal = 'delete' | 'erase'

export function useRemoveConversation(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (how: Removal) =>
      how === 'erase'
        ? api.eraseConversation({ params: { id } })
        : api.deleteConversation({ params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.conversations(), refetchType: 'none' }),
  })
}

/** How many conversations there are, by agent and project. */
export function useConversationCounts() {
  return useQuery({
    queryKey: queryKeys.conversationCounts(),
    queryFn: ({ signal }) => api.countConversations({ signal }),
    enabled: useMay('conversations:read'),
  })
}

const factsMax = '500'

/** The facts that a conversation led to, in the order in which they were stored. */
export function useConversationFacts(id: string) {
  return useQuery({
    queryKey: queryKeys.conversationFacts(id),
    queryFn: ({ signal }) =>
      api.listSourcedObservations({ query: { conversation: id, limit: factsMax }, signal }),
  })
}

const draftsMax = '100'

/** The sentences of a conversation that nobody has decided on yet. */
export function useConversationDrafts(id: string) {
  return useQuery({
    queryKey: queryKeys.conversationDrafts(id),
    queryFn: async ({ signal }) =>
      (await api.listDrafts({ query: { conversation: id, limit: draftsMax }, signal })).drafts,
  })
}

/** What agents proposed in a conversation that waits for a decision. */
export function useConversationProposals(id: string) {
  return useQuery({
    queryKey: queryKeys.conversationProposals(id),
    queryFn: async ({ signal }) =>
      (await api.listProposals({ query: { conversation: id, limit: draftsMax }, signal })).proposals,
    enabled: useMay('memory:read'),
  })
}

type ConversationFile = { file: File; mediaType: string; onSent: (share: number) => void }

/** Stores the conversations of an export of another product. */
export const useImportConversations = () =>
  useChange(queryKeys.conversations(), ({ file, mediaType, onSent }: ConversationFile) =>
    uploadingApi(onSent).importConversations({
      body: file,
      query: { fileName: file.name },
      headers: { 'content-type': mediaType },
    }),
  )

const turnsFoundMax = '60'

/** What was said that answers a search, best first. */
export function useTurnSearch(filter: ConversationFilter) {
  const { query = '', project, agent, file } = filter
  const { begin, end } = momentsOf(filter)
  return useQuery({
    queryKey: queryKeys.turnSearch(filter),
    queryFn: ({ signal }) =>
      api.searchTurns({
        query: {
          ...{ query, project, agent, file, only: onlyIn(filter.only), after: begin, before: end },
          ...{ limit: turnsFoundMax, context: '0' },
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
}

/** The newest conversation; undefined if there is none. */
export function useLatestConversation() {
  return useQuery({
    queryKey: queryKeys.latestConversation(),
    queryFn: async ({ signal }) =>
      (await api.listConversations({ query: { limit: '1' }, signal })).conversations[0] ?? null,
    enabled: useMay('conversations:read'),
  })
}
