import type { RestClient } from '@loci/client/call'
import type { Draft, KeepDraft } from '@loci/contract/drafts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { outlastingApiHere } from './api.ts'
import { queryKeys } from './query-keys.ts'
import { withChangeSet } from './use-undo.ts'

type Kept = { draft: Draft; body: Pick<KeepDraft, 'content'> & { entity?: { name: string } } }

/** `where`: the calls of the space that they are of, since they are dropped later. */
type Dropped = { ids: readonly string[]; where: RestClient }

/** Keeps and drops drafts, and renews the lists that show them. */
export function useDecideDrafts() {
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: queryKeys.proposals() })
  const keep = useMutation({
    mutationFn: async ({ draft: { id }, body }: Kept) =>
      await withChangeSet((onHeaders) => outlastingApiHere().keepDraft({ params: { id }, body, onHeaders })),
    onSettled: (_data, _error, { draft: { source } }) =>
      Promise.all([
        renew(),
        client.invalidateQueries({ queryKey: queryKeys.conversationFacts(source.conversationId) }),
      ]),
  })
  const drop = useMutation({
    mutationFn: ({ ids, where }: Dropped) =>
      Promise.all(ids.map((id) => where.dropDraft({ params: { id } }))),
    onSettled: renew,
  })
  return { keep, drop }
}
