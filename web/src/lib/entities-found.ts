import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { queryKeys } from './query-keys.ts'

const entitiesMax = '20'
const typingPauseMs = 120

/** The best entities for a text, or the newest for none. The pickers and the palette share what each has found. */
const entitiesFound = (query: string) =>
  queryOptions({
    queryKey: queryKeys.entitiesFound(query),
    queryFn: async ({ signal }) =>
      (await api.listEntities({ query: { query, limit: entitiesMax }, signal })).entities,
    placeholderData: keepPreviousData,
  })

/**
 * The entities that match a text as it is typed. Until the answer for it arrives, those of the last answer stay whose
 * names contain it: the rest must not be picked by mistake.
 */
export function useEntitiesFound(text: string, enabled: boolean) {
  const typed = text.trim()
  const [query] = useDebouncedValue(typed, typingPauseMs)
  const isPaused = query === typed
  const {
    data = [],
    isFetching,
    isPlaceholderData,
  } = useQuery({
    ...entitiesFound(query),
    enabled: enabled && isPaused,
  })
  const isAnswered = isPaused && !isPlaceholderData
  const words = typed.toLowerCase()
  return {
    entities: isAnswered ? data : data.filter(({ name }) => name.toLowerCase().includes(words)),
    isFetching: isFetching || !isAnswered,
  }
}
