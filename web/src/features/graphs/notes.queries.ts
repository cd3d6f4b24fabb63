import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** The newest observation of an entity, truncated; undefined until it has loaded. */
export function useNote(entityId: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.graphNote(entityId ?? ''),
    queryFn: async ({ signal }) => (await api.graphNotes({ query: { ids: entityId! }, signal })).notes,
    enabled: entityId !== undefined,
  })
  return entityId === undefined ? undefined : data?.[entityId]
}
