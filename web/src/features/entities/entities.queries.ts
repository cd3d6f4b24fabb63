import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import type { EntityFilter } from '../../lib/filters.ts'
import { whileLive } from '../../lib/live.ts'
import { markOwnChange, markOwnDeletion } from '../../lib/own-changes.ts'
import { pagingOptions } from '../../lib/pages.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { withChangeSet } from '../../lib/use-undo.ts'
import { refreshEntities } from './entities.updates.ts'
import type { EntityInput } from './entity-form.rules.ts'
import { fetchEntities } from './fetch-entities.ts'

export function useEntities(filter: EntityFilter) {
  return useInfiniteQuery({
    queryKey: queryKeys.entityList(filter),
    queryFn: ({ pageParam, signal }) => fetchEntities(filter, pageParam, signal),
    ...pagingOptions,
    staleTime: whileLive,
  })
}

/** An entity with its observations: the current one, with the version that later writes check, or as of a moment. */
export function entityOptions(id: string, asOf?: string) {
  const queryKey: readonly unknown[] =
    asOf === undefined ? queryKeys.entity(id) : queryKeys.past(asOf, 'entity', id)
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      let version: string | null = null
      const { entity } = await api.getEntity({
        params: { id },
        query: { asOf },
        headers: { prefer: 'include=by' },
        signal,
        onHeaders: (headers) => {
          version = headers.get('etag')
        },
      })
      return { entity, version: version as string | null }
    },
  })
}

export function useEntity(id: string, asOf?: string) {
  return useQuery(entityOptions(id, asOf))
}

type Save = { id?: string; version?: string | null; input: EntityInput }

/** Creates an entity, or replaces the one with the given id unless it has changed since `version`. */
export function useSaveEntity() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, version, input }: Save) => {
      const headers = version ? { 'if-match': version } : undefined
      const { answer: entity, setId } = await withChangeSet(async (onHeaders) => {
        const saved = id
          ? await api.updateEntity({ params: { id }, body: input, headers, onHeaders })
          : await api.createEntity({ body: input, onHeaders })
        return saved.entity
      })
      markOwnChange(entity.id)
      return { entity, setId }
    },
    onSuccess: async ({ entity }) => {
      await client.invalidateQueries({ queryKey: queryKeys.entity(entity.id) })
      refreshEntities(client)
    },
  })
}

export function useDeleteEntity() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => {
      markOwnDeletion(id)
      return withChangeSet((onHeaders) => api.deleteEntity({ params: { id }, onHeaders }))
    },
    onSuccess: (_, id) => {
      client.removeQueries({ queryKey: queryKeys.entity(id) })
      refreshEntities(client)
    },
  })
}
