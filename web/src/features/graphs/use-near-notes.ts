import type { GraphNode } from '@loci/graph/types'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { plainText } from '../../ui/markdown/plain-text.ts'

/** The server tells so many at once. */
const notesMax = 100
const none: ReadonlyMap<string, string> = new Map()

/**
 * The newest observations of the nodes that are near, by id, and what is to be told which nodes these are. None in the
 * past, since only the present is known.
 */
export function useNearNotes(asOf: string | undefined) {
  const [near, setNear] = useState<readonly GraphNode[]>([])
  const asked = useMemo(
    () =>
      near
        .filter(({ observationsCount }) => observationsCount > 0)
        .slice(0, notesMax)
        // A node with another observation is asked for anew.
        .map(({ id, observationsCount }) => `${id} ${observationsCount}`)
        .sort(),
    [near],
  )
  const { data } = useQuery({
    queryKey: queryKeys.graphNote(asked.join()),
    queryFn: async ({ signal }) => {
      const ids = asked.map((text) => text.split(' ')[0]).join()
      const { notes } = await api.graphNotes({ query: { ids }, signal })
      return new Map(Object.entries(notes).map(([id, note]) => [id, plainText(note)]))
    },
    enabled: asked.length > 0 && asOf === undefined,
    // What is written stays until the nodes further on have theirs.
    placeholderData: (before) => before,
  })
  const notes = asked.length > 0 && asOf === undefined ? (data ?? none) : none
  return { setNear, notes }
}
