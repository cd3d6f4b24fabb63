import type { EditedChange, Proposal } from '@loci/contract/proposals'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useMay } from '../../lib/rights.ts'

const proposalsPerPage = '50'
const countIntervalMs = 60_000

export type InboxTab = 'open' | 'accepted' | 'rejected'

/** Proposals of one status, newest first. */
export function useProposals(status: InboxTab) {
  return useInfiniteQuery({
    queryKey: queryKeys.proposalList(status),
    queryFn: ({ pageParam, signal }) =>
      api.listProposals({ query: { status, limit: proposalsPerPage, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

export const proposalsOf = (data: { pages: { proposals: Proposal[] }[] } | undefined): Proposal[] => {
  const proposals = data?.pages.flatMap((page) => page.proposals) ?? []
  // The list changes as proposals are decided, so pages can overlap.
  return [...new Map(proposals.map((proposal) => [proposal.id, proposal])).values()]
}

/** How many proposals wait for a decision in this space. */
export function useOpenProposals() {
  return useQuery({
    queryKey: queryKeys.openProposals,
    queryFn: async ({ signal }) => (await api.listProposals({ query: { limit: '1' }, signal })).open,
    refetchInterval: countIntervalMs,
  })
}

const decidedMax = '100'

/** How many proposals were decided today, as far as the newest tell. */
export function useDecidedToday(isWanted: boolean) {
  return useQuery({
    queryKey: queryKeys.decidedToday,
    queryFn: async ({ signal }) => {
      const list = (status: InboxTab) => api.listProposals({ query: { status, limit: decidedMax }, signal })
      const [accepted, rejected] = await Promise.all([list('accepted'), list('rejected')])
      const midnight = new Date().setHours(0, 0, 0, 0)
      const isToday = ({ decidedAt }: Proposal) =>
        decidedAt !== undefined && Date.parse(decidedAt) >= midnight
      return [...accepted.proposals, ...rejected.proposals].filter(isToday).length
    },
    enabled: isWanted,
  })
}

type Acceptance = { id: string; changes: EditedChange[] }

/** Decisions, each of which renews what lists show. */
export function useDecide() {
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: queryKeys.proposals })
  const accept = useMutation({
    mutationFn: ({ id, changes }: Acceptance) =>
      api.acceptProposal({ params: { id }, body: changes.length > 0 ? { changes } : {} }),
    onSettled: renew,
  })
  const decide = useMutation({
    mutationFn: (ids: { accept?: string[]; reject?: string[] }) => api.decideProposals({ body: ids }),
    onSettled: renew,
  })
  return { accept, decide }
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
