import type { Replay } from '@loci/contract/recalls'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { pagingOptions } from '../../lib/pages.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const pageSize = '50'

/** What agents asked, newest first; `found` is `false` for the questions without an answer. */
export function useRecalls(found?: 'false') {
  return useInfiniteQuery({
    queryKey: queryKeys.recallList(found),
    queryFn: ({ pageParam, signal }) =>
      api.listRecalls({ query: { limit: pageSize, cursor: pageParam, found }, signal }),
    ...pagingOptions,
  })
}

export function useRecall(id: string) {
  return useQuery({
    queryKey: queryKeys.recall(id),
    queryFn: ({ signal }) => api.getRecall({ params: { id }, signal }),
  })
}

/** The questions for which nothing was found. */
export function useUnanswered() {
  return useQuery({
    queryKey: queryKeys.unanswered(),
    queryFn: async ({ signal }) => (await api.listUnanswered({ signal })).questions,
  })
}

/** What an agent would be told now. */
export type AnswerNow = Omit<Replay, 'id' | 'at' | 'by'>

export function useAskAgain() {
  return useMutation({
    mutationFn: async ({ question, maxTokens }: Pick<Replay, 'question' | 'maxTokens'>) =>
      (await api.askAgain({ body: { question, ...(maxTokens > 0 && { maxTokens }) } })).answer,
  })
}

/** Deletes a recall, or with `alike` all recalls of its question. */
export function useForgetRecall() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, alike }: { id: string; alike?: boolean }) =>
      api.deleteRecall({ params: { id }, query: alike ? { alike: 'true' } : {} }),
    onSuccess: (_, { id }) => {
      client.removeQueries({ queryKey: queryKeys.recall(id) })
      void client.invalidateQueries({ queryKey: queryKeys.recalls(), refetchType: 'active' })
    },
  })
}
