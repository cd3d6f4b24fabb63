import type { GraphNode } from '@loci/graph/types'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { plainText } from '../../ui/markdown/plain-text.ts'

/** Most observations in one response. */
const notesMax = 100
const none: ReadonlyMap<string, string> = new Map()

/**
 * The newest observations of nearby nodes, by id, and a function to report which nodes are near. None in the
 * past, since only the present ones are known.
 */
export function useNearNotes(asOf: string | undefined) {
  const [near, setNear] = useState<readonly GraphNode[]>([])
  const asked = useMemo(
    () =>
      near
        .filter(({ observationsCount }) => observationsCount > 0)
        .slice(0, notesMax)
        // Refetches a node when its number of observations changes.
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
    // Keeps current notes until those of the next nodes have arrived.
    placeholderData: (before) => before,
  })
  const notes = asked.length > 0 && asOf === undefined ? (data ?? none) : none
  return { setNear, notes }
}
