import { useMemo, useState } from 'react'
import type { GraphAddress, GraphViewName } from './graph-address.ts'
import type { GraphNavigation } from './graph-navigation.ts'
import type { LiveGraph } from './live-graph.ts'

export type GraphActions = ReturnType<typeof graphActions>

/** The user's actions on the graph, and the node that the picture flies to: each new object starts one flight. */
export function useGraphActions(graph: LiveGraph | undefined, navigate: GraphNavigation) {
  const [flight, setFlight] = useState<{ id: string }>()
  const actions = useMemo(() => graphActions(graph, navigate, setFlight), [graph, navigate])
  return { actions, flight }
}

function graphActions(
  graph: LiveGraph | undefined,
  navigate: GraphNavigation,
  fly: (flight: { id: string }) => void,
) {
  const change = (part: Partial<GraphAddress>) => navigate(() => part)
  return {
    change,
    select: (id: string | undefined) => navigate((now) => selection(now, id)),
    expand: (id: string) => navigate((now) => expansion(now, id)),
    /** Selects any node and brings it into view. */
    pick: (id: string) => {
      navigate((now) => {
        const entity = graph?.findEntity(id)
        return { ...selection(now, id), ...(entity ? unhiding(now, id, entity.type) : expansion(now, id)) }
      })
      fly({ id })
    },
    // Fits the whole graph into view, so that the user can pick the other end.
    startPath: (id: string) => change({ from: id, to: undefined, selected: undefined }),
    clearPath: () => change({ from: undefined, to: undefined }),
    show: (view: GraphViewName) => change({ view }),
    /** Shows the graph as of a moment; undefined for now. */
    goTo: (asOf: string | undefined) => change({ asOf }),
    hideTypes: (hiddenTypes: string[]) => change({ hiddenTypes }),
    hideRelations: (hiddenRelations: string[]) => change({ hiddenRelations }),
    hideNodes: (ids: readonly string[]) => navigate((now) => hiding(now, ids)),
  }
}

/** The address change for selecting a node; while a path lacks its end, the node becomes that end. */
export function selection({ from, to }: GraphAddress, id: string | undefined): Partial<GraphAddress> {
  const endsPath = id !== undefined && from !== undefined && to === undefined && id !== from
  return endsPath ? { to: id } : { selected: id }
}

export function expansion({ expanded }: GraphAddress, id: string): Partial<GraphAddress> {
  return { expanded: expanded.includes(id) ? expanded : [...expanded, id] }
}

export function unhiding(
  { hiddenTypes, hiddenNodes }: GraphAddress,
  id: string,
  type: string,
): Partial<GraphAddress> {
  return {
    hiddenTypes: hiddenTypes.filter((hidden) => hidden !== type),
    hiddenNodes: hiddenNodes.filter((hidden) => hidden !== id),
  }
}

export function hiding(
  { hiddenNodes, selected }: GraphAddress,
  ids: readonly string[],
): Partial<GraphAddress> {
  return {
    hiddenNodes: [...new Set([...hiddenNodes, ...ids])],
    ...(selected !== undefined && ids.includes(selected) && { selected: undefined }),
  }
}
