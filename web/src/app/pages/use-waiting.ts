import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useMay, useMayWrite } from '../../lib/rights.ts'

const staleShown = 100

/** What waits for a decision: how many proposals and drafts, and which facts rest on files that have changed. */
export function useWaiting() {
  const proposals = useQuery({
    queryKey: queryKeys.waitingProposals,
    queryFn: async ({ signal }) => {
      const { open, mayDecide } = await api.listProposals({ query: { limit: '1' }, signal })
      return mayDecide ? open : 0
    },
  })
  const mayDraft = useMay('conversations:read')
  const mayKeep = useMayWrite()
  const drafts = useQuery({
    queryKey: queryKeys.waitingDrafts,
    queryFn: async ({ signal }) => await api.listDrafts({ query: { limit: '1' }, signal }),
    enabled: mayDraft && mayKeep,
  })
  const stale = useQuery({
    queryKey: queryKeys.waitingStale,
    queryFn: async ({ signal }) =>
      (await api.listStaleObservations({ query: { limit: String(staleShown) }, signal })).observations,
  })
  return {
    proposals: proposals.data ?? 0,
    drafts: drafts.data?.open ?? 0,
    draftsThisWeek: drafts.data?.thisWeek ?? 0,
    stale: stale.data ?? [],
  }
}
