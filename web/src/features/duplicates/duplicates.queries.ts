import type { Duplicate, DuplicateEntity } from '@loci/contract/duplicates'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess, offerUndo } from '../../lib/notify.tsx'
import { pagingOptions } from '../../lib/pages.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'

const pairsPerPage = '25'

/** Pairs that may be the same thing, most likely first. */
export function useDuplicates() {
  return useInfiniteQuery({
    queryKey: queryKeys.duplicates(),
    queryFn: ({ pageParam, signal }) =>
      api.listDuplicates({ query: { limit: pairsPerPage, cursor: pageParam }, signal }),
    ...pagingOptions,
  })
}

export const pairsOf = (data: { pages: { duplicates: Duplicate[] }[] } | undefined): Duplicate[] => {
  const pairs = data?.pages.flatMap(({ duplicates }) => duplicates) ?? []
  // The list changes as pairs are decided, so pages can overlap.
  return [...new Map(pairs.map((pair) => [keyOf(pair), pair])).values()]
}

export const keyOf = ({ entities }: Duplicate): string =>
  entities
    .map(({ id }) => id)
    .sort()
    .join()

/** Merges a pair, reports it and offers an undo. */
export function useMergePair() {
  const client = useQueryClient()
  const notifyUndoable = useNotifyUndoable()
  return useMutation({
    mutationFn: ({ keep, go }: { keep: DuplicateEntity; go: DuplicateEntity }) =>
      api.mergeEntities({ body: { ids: [go.id], into: keep.id } }),
    onSuccess: async ({ setId }, { keep, go }) => {
      notifyUndoable(`${short(go.name)} merged into ${short(keep.name)}`, setId ?? undefined)
      await client.invalidateQueries({ queryKey: queryKeys.space() })
    },
    onError: (error) => notifyError('Failed to merge entities', messageOf(error, '')),
  })
}

/** Marks a pair as two different things, reports it and offers an undo. */
export function useDismissPair() {
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: queryKeys.duplicates() })
  const takeBack = useMutation({
    mutationFn: (ids: [string, string]) => api.undismissDuplicate({ body: { ids } }),
    onSuccess: () => notifySuccess('Undone'),
    onError: (error) => notifyError('Failed to undo', messageOf(error, '')),
    onSettled: renew,
  })
  return useMutation({
    mutationFn: ({ entities: [one, other] }: Duplicate) =>
      api.dismissDuplicate({ body: { ids: [one.id, other.id] } }),
    onSuccess: async (_, { entities: [one, other] }) => {
      const message = `${short(one.name)} and ${short(other.name)} kept separate`
      offerUndo(message, () => takeBack.mutate([one.id, other.id]))
      await renew()
    },
    onError: (error) => notifyError('Failed to save', messageOf(error, '')),
  })
}

const nameMax = 60
const short = (name: string) => (name.length > nameMax ? `${name.slice(0, nameMax - 1)}…` : name)
