import type { CreateRelation, Relation } from '@loci/contract/relations'
import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import type { RelationFilter } from '../../lib/filters.ts'
import { whileLive } from '../../lib/live.ts'
import { markOwnChange } from '../../lib/own-changes.ts'
import { type ListPage, pageSize, pagingOptions } from '../../lib/pages.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { withChangeSet } from '../../lib/use-undo.ts'
import { fetchRelations } from './fetch-relations.ts'
import { refreshRelations } from './relations.updates.ts'

export function useRelations(filter: RelationFilter) {
  return useInfiniteQuery({
    queryKey: queryKeys.relationList(filter),
    queryFn: ({ pageParam, signal }) => fetchRelations(filter, pageParam, signal),
    ...pagingOptions,
    staleTime: whileLive,
  })
}

/** The relations that have an entity as an end. */
export function useRelationsOf(entityId: string, asOf?: string) {
  return useInfiniteQuery({
    queryKey:
      asOf === undefined ? queryKeys.relationsOf(entityId) : queryKeys.past(asOf, 'relations', entityId),
    queryFn: async ({ pageParam, signal }): Promise<ListPage<Relation>> => {
      const { relations, ...page } = await api.listRelations({
        query: { entityId, limit: String(pageSize), cursor: pageParam, asOf },
        signal,
      })
      return { rows: relations, ...page }
    },
    ...pagingOptions,
  })
}

export function useRelationTypes() {
  return useQuery({
    queryKey: queryKeys.relationTypes(),
    queryFn: async () => (await api.listRelationTypes()).types,
  })
}

/** Creates a relation, or changes the type of the one with the given id. */
export function useSaveRelation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, input }: { id?: string; input: CreateRelation }) => {
      const { answer, setId } = await withChangeSet((onHeaders) =>
        id
          ? api.updateRelation({ params: { id }, body: { type: input.type }, onHeaders })
          : api.createRelation({ body: input, onHeaders }),
      )
      markOwnChange(answer.relation.id)
      return { setId }
    },
    onSuccess: () => refreshAll(client),
  })
}

export function useDeleteRelation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => {
      markOwnChange(id)
      return withChangeSet((onHeaders) => api.deleteRelation({ params: { id }, onHeaders }))
    },
    onSuccess: () => refreshAll(client),
  })
}

function refreshAll(client: QueryClient) {
  refreshRelations(client)
  return client.invalidateQueries({ queryKey: queryKeys.entityGraphs() })
}
