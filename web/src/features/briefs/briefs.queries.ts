import type { Brief, BriefItem, SetBriefMail } from '@loci/contract/briefs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { messageOf } from '../../lib/errors.ts'
import { notifyError } from '../../lib/notify.tsx'
import { markOwnChange } from '../../lib/own-changes.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'
import { useNotifyUndoable, withChangeSet } from '../../lib/use-undo.ts'

/** What happened since the person last read all of it. */
export function useBrief({ enabled = true } = {}) {
  return useQuery({
    enabled,
    queryKey: queryKeys.brief(),
    queryFn: async ({ signal }) => (await api.getBrief({ signal })).brief,
  })
}

/** What came while the brief was read, counted until it is asked for: rows do not move under the reader. */
export function useBriefNews(brief: Brief | undefined) {
  const client = useQueryClient()
  const { data: latest } = useQuery({
    queryKey: queryKeys.briefNews(),
    queryFn: async ({ signal }) => (await api.getBrief({ signal })).brief,
    // The first time a change is announced.
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const after = brief?.seq ?? Number.POSITIVE_INFINITY
  return {
    count: latest?.items.filter(({ seq, isRead }) => seq > after && !isRead).length ?? 0,
    show: () => client.setQueryData(queryKeys.brief(), latest),
  }
}

/** Whether the person gets the weekly mail of this space. */
export function useBriefMail() {
  return useQuery({
    queryKey: queryKeys.briefMail(),
    queryFn: async () => (await api.getBriefMail()).mail,
  })
}

export function useSetBriefMail() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (change: SetBriefMail) => (await api.setBriefMail({ body: change })).mail,
    onSuccess: (mail) => client.setQueryData(queryKeys.briefMail(), mail),
  })
}

function useShownBrief() {
  const client = useQueryClient()
  return (change: (brief: Brief) => Brief) =>
    client.setQueryData<Brief>(queryKeys.brief(), (brief) => brief && change(brief))
}

export const notifyFailed = (error: Error) => notifyError('This could not be done', messageOf(error, ''))

/** Marks single items as read, at once. */
export function useReadItems() {
  const show = useShownBrief()
  const mark = (seqs: number[], isRead: boolean) =>
    show((brief) => ({
      ...brief,
      items: brief.items.map((item) => (seqs.includes(item.seq) ? { ...item, isRead } : item)),
    }))
  return useMutation({
    mutationFn: (seqs: number[]) => api.readBrief({ body: { seqs } }),
    onMutate: (seqs) => mark(seqs, true),
    onError: (error, seqs) => {
      mark(seqs, false)
      notifyFailed(error)
    },
  })
}

/** Marks everything up to a change as read. */
export const useReadAll = () =>
  useChange(queryKeys.brief(), (seq: number) => api.markBrief({ body: { seq } }))

type Decision =
  | { kind: 'correct'; item: BriefItem; content: string }
  | { kind: 'forget'; item: BriefItem; observationId: string }
  | { kind: 'restore'; item: BriefItem }

const told = { correct: 'Observation updated', forget: 'Observation deleted', restore: 'Restored' }

/** Corrects or forgets the fact of an item, or restores what was forgotten. */
export function useDecide() {
  const show = useShownBrief()
  const client = useQueryClient()
  const notifyUndoable = useNotifyUndoable()
  return useMutation({
    mutationFn: (decision: Decision) => {
      const { item } = decision
      const params = { id: item.entity.id }
      markOwnChange(item.entity.id)
      return withChangeSet<unknown>((onHeaders) => {
        if (decision.kind === 'restore')
          return api.undoChangeSet({ params: { setId: item.setId }, onHeaders })
        const { observationId = '' } = decision.kind === 'forget' ? decision : item
        const ofOne = { ...params, observationId }
        return decision.kind === 'forget'
          ? api.deleteObservation({ params: ofOne, onHeaders })
          : api.updateObservation({ params: ofOne, body: { content: decision.content }, onHeaders })
      })
    },
    onError: notifyFailed,
    onSuccess: ({ setId }, decision) => {
      notifyUndoable(told[decision.kind], setId)
      show((brief) => ({
        ...brief,
        items: brief.items.flatMap((item) => after(item, decision)),
      }))
      for (const queryKey of [queryKeys.history(), queryKeys.entity(decision.item.entity.id)])
        void client.invalidateQueries({ queryKey })
    },
  })
}

function after(item: BriefItem, decision: Decision): BriefItem[] {
  if (item.seq !== decision.item.seq) return [item]
  if (decision.kind === 'correct')
    return [{ ...item, kind: 'learned', content: decision.content, isRead: true }]
  const isSettled = decision.kind === 'restore' || decision.observationId === item.observationId
  return isSettled ? [] : [{ ...item, kind: 'learned', isRead: true }]
}
