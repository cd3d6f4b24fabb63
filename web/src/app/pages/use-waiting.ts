import type { Proposal } from '@loci/contract/proposals'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useMay, useMayWrite } from '../../lib/rights.ts'
import { writerOf } from '../../ui/writer-name.ts'

const staleShown = 100
/** How many of the newest proposals tell who proposes. */
const proposersShown = '20'
const namesShown = 2
const nothing = { open: 0, by: '', first: '' }

/** What waits for a decision: how many proposals and drafts, and which facts rest on files that have changed. */
export function useWaiting() {
  const proposals = useQuery({
    queryKey: queryKeys.waitingProposals(),
    queryFn: async ({ signal }) => {
      const { open, mayDecide, proposals } = await api.listProposals({
        query: { limit: proposersShown },
        signal,
      })
      return mayDecide && open > 0 ? { open, ...whoAndWhat(proposals, open) } : nothing
    },
  })
  const mayDraft = useMay('conversations:read')
  const mayKeep = useMayWrite()
  const drafts = useQuery({
    queryKey: queryKeys.waitingDrafts(),
    queryFn: async ({ signal }) => await api.listDrafts({ query: { limit: '1' }, signal }),
    enabled: mayDraft && mayKeep,
  })
  const stale = useQuery({
    queryKey: queryKeys.waitingStale(),
    queryFn: async ({ signal }) =>
      (await api.listStaleObservations({ query: { limit: String(staleShown) }, signal })).observations,
  })
  return {
    proposals: proposals.data?.open ?? 0,
    /** Who proposed, and what the newest says. */
    proposed: proposals.data ?? nothing,
    drafts: drafts.data?.open ?? 0,
    draftsThisWeek: drafts.data?.thisWeek ?? 0,
    drafted: textOf(drafts.data?.drafts[0]?.changes[0]?.content),
    stale: stale.data ?? [],
  }
}

/** `codex and cursor`, and the words of the newest. */
function whoAndWhat(proposals: readonly Proposal[], open: number) {
  const names = [...new Set(proposals.map(({ by }) => writerOf(by)))]
  const shown = names.slice(0, namesShown)
  const hasMore = names.length > shown.length || open > proposals.length
  const change = proposals[0]?.changes[0]
  return {
    by: hasMore ? `${shown.join(', ')} and others` : shown.join(' and '),
    first: textOf(change?.after?.content ?? change?.before?.content ?? change?.after?.name),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
