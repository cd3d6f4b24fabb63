import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { entitiesFound } from '../../lib/entities-found.ts'

const typingPauseMs = 120

/** The entities that match the text as it is typed. */
export function useEntityFinder(query: string, limit: number) {
  const [text] = useDebouncedValue(query.trim(), typingPauseMs)
  const { data = [], isFetching } = useQuery({ ...entitiesFound(text), enabled: text !== '' })
  return { entities: text === '' ? [] : data.slice(0, limit), isFetching }
}
