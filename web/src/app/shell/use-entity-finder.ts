import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const typingPauseMs = 120

/** The entities that match the text as it is typed. */
export function useEntityFinder(query: string, limit: number) {
  const [text] = useDebouncedValue(query.trim(), typingPauseMs)
  const { data, isFetching } = useQuery({
    queryKey: queryKeys.entityOptions(text),
    queryFn: ({ signal }) => api.listEntities({ query: { query: text, limit: String(limit) }, signal }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })
  return { entities: text === '' ? [] : (data?.entities ?? []), isFetching }
}
