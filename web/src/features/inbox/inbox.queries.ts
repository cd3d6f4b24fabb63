import type { RestClient } from '@loci/client/call'
import type { Draft } from '@loci/contract/drafts'
import type { CreateAcceptRule, EditedChange, Proposal } from '@loci/contract/proposals'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, outlastingApiHere } from '../../lib/api.ts'
import { pagingOptions } from '../../lib/pages.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useMay, useMayWrite } from '../../lib/rights.ts'
import { type Item, itemOfDraft } from './inbox.rules.ts'

const itemsPerPage = '50'
const countIntervalMs = 60_000

export type InboxTab = 'open' | 'accepted' | 'rejected'

/** Proposals of one status, newest first. */
function useProposals(status: InboxTab) {
  return useInfiniteQuery({
    queryKey: queryKeys.proposalList(status),
    queryFn: ({ pageParam, signal }) =>
      api.listProposals({ query: { status, limit: itemsPerPage, cursor: pageParam }, signal }),
    ...pagingOptions,
  })
}

/** Drafts of one status, newest first; none for callers who may not read conversations. */
function useDrafts(status: InboxTab) {
  return useInfiniteQuery({
    queryKey: queryKeys.draftList(status),
    queryFn: ({ pageParam, signal }) =>
      api.listDrafts({ query: { status, limit: itemsPerPage, cursor: pageParam }, signal }),
    ...pagingOptions,
    enabled: useMay('conversations:read'),
  })
}

/** Proposals and drafts of one status in one list, newest first. */
export function useInboxItems(status: InboxTab) {
  const proposals = useProposals(status)
  const drafts = useDrafts(status)
  const mayDraft = useMay('conversations:read')
  const mayDecideDrafts = useMayWrite() && mayDraft
  const mayDecideProposals = proposals.data?.pages[0]?.mayDecide ?? false
  const isLoaded = proposals.data !== undefined && (drafts.data !== undefined || !mayDraft)
  // Of one list alone, what is not the newest would have the focus.
  const items = useMemo(
    () => (isLoaded ? itemsOf(proposals.data, drafts.data) : []),
    [isLoaded, proposals.data, drafts.data],
  )
  return {
    items,
    isLoaded,
    open: (proposals.data?.pages[0]?.open ?? 0) + (drafts.data?.pages[0]?.open ?? 0),
    draftsThisWeek: drafts.data?.pages[0]?.thisWeek ?? 0,
    mayDecide: ({ draft }: Item) => (draft ? mayDecideDrafts : mayDecideProposals),
    mayDecideAny: mayDecideDrafts || mayDecideProposals,
    mayDecideProposals,
    error: isLoaded ? null : (proposals.error ?? drafts.error),
    refetch: () => void Promise.all([proposals.refetch(), mayDraft && drafts.refetch()]),
    next: proposals.hasNextPage ? proposals : drafts,
  }
}

type Pages<Page> = { pages: Page[] } | undefined

function itemsOf(proposals: Pages<{ proposals: Proposal[] }>, drafts: Pages<{ drafts: Draft[] }>): Item[] {
  const items: Item[] = [
    ...(proposals?.pages.flatMap((page) => page.proposals) ?? []),
    ...(drafts?.pages.flatMap((page) => page.drafts.map(itemOfDraft)) ?? []),
  ]
  // The lists change as items are decided, so pages can overlap.
  const once = [...new Map(items.map((item) => [item.id, item])).values()]
  return once.sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
}

/** How many proposals and drafts wait for a decision in this space. */
export function useOpenCount() {
  const mayDraft = useMay('conversations:read')
  return useQuery({
    queryKey: queryKeys.openCount(),
    queryFn: async ({ signal }) => {
      const query = { limit: '1' }
      const [proposals, drafts] = await Promise.all([
        api.listProposals({ query, signal }),
        mayDraft ? api.listDrafts({ query, signal }) : { open: 0 },
      ])
      return proposals.open + drafts.open
    },
    refetchInterval: countIntervalMs,
  })
}

const decidedMax = '100'

/** How many proposals and drafts were decided today, as far as the newest tell. */
export function useDecidedToday(isWanted: boolean) {
  const mayDraft = useMay('conversations:read')
  return useQuery({
    queryKey: queryKeys.decidedToday(),
    queryFn: async ({ signal }) => {
      const list = async (status: InboxTab) => {
        const query = { status, limit: decidedMax }
        const [{ proposals }, { drafts }] = await Promise.all([
          api.listProposals({ query, signal }),
          mayDraft ? api.listDrafts({ query, signal }) : { drafts: [] },
        ])
        return [...proposals, ...drafts]
      }
      const decided = await Promise.all([list('accepted'), list('rejected')])
      const midnight = new Date().setHours(0, 0, 0, 0)
      const isToday = ({ decidedAt }: { decidedAt?: string | undefined }) =>
        decidedAt !== undefined && Date.parse(decidedAt) >= midnight
      return decided.flat().filter(isToday).length
    },
    enabled: isWanted,
  })
}

type Acceptance = { id: string; changes: EditedChange[] }
/** `where`: the calls of the space that the ids are of, if they are sent later. */
type DecidedIds = { accept?: string[]; reject?: string[]; where?: RestClient }

/** Decisions, each of which renews what lists show. */
export function useDecide() {
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: queryKeys.proposals() })
  const accept = useMutation({
    mutationFn: ({ id, changes }: Acceptance) =>
      outlastingApiHere().acceptProposal({ params: { id }, body: changes.length > 0 ? { changes } : {} }),
    onSettled: renew,
  })
  const decide = useMutation({
    mutationFn: ({ where = outlastingApiHere(), ...ids }: DecidedIds) => where.decideProposals({ body: ids }),
    onSettled: renew,
  })
  return { accept, decide }
}

/** By which rules proposals are accepted at once. */
export function useAcceptRules(isWanted: boolean) {
  return useQuery({
    queryKey: queryKeys.acceptRules(),
    queryFn: ({ signal }) => api.listAcceptRules({ signal }),
    enabled: isWanted,
  })
}

/** Makes and ends rules. */
export function useChangeRules() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: queryKeys.acceptRules() })
  const create = useMutation({
    mutationFn: (body: CreateAcceptRule) => outlastingApiHere().createAcceptRule({ body }),
    onSettled,
  })
  const end = useMutation({
    mutationFn: (id: string) => api.deleteAcceptRule({ params: { id } }),
    onSettled,
  })
  return { create, end }
}

/** The title of the conversation that proposals are from. */
export function useConversationTitle(id: string | undefined) {
  const mayRead = useMay('conversations:read')
  return useQuery({
    queryKey: queryKeys.conversationTitle(id ?? ''),
    queryFn: async ({ signal }) =>
      (await api.readConversation({ params: { id: id! }, query: { limit: '1' }, signal })).conversation,
    enabled: mayRead && id !== undefined,
  })
}

/** The turn that a proposal rests on. */
export function useSourceTurn({
  conversationId,
  turnId,
}: {
  conversationId?: string | undefined
  turnId?: string | undefined
}) {
  const mayRead = useMay('conversations:read')
  return useQuery({
    queryKey: queryKeys.sourceTurn(conversationId ?? '', turnId ?? ''),
    queryFn: async ({ signal }) => {
      const query = { around: turnId, limit: '2' }
      const { turns } = await api.readConversation({ params: { id: conversationId! }, query, signal })
      return turns.find(({ id }) => id === turnId) ?? null
    },
    enabled: mayRead && conversationId !== undefined && turnId !== undefined,
  })
}
