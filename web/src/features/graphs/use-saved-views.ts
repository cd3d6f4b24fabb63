import type { SavedView } from '@loci/contract/views'
import type { GraphView } from '@loci/graph/types'
import { useEffect, useState } from 'react'
import { parseSearch, stringifySearch } from '../../lib/search-params.ts'
import { type GraphAddress, readGraphAddress, writeGraphAddress } from './graph-address.ts'
import type { LiveGraph } from './live-graph.ts'
import type { GraphActions } from './use-graph-actions.ts'

/** The current view's query string, and a function that opens a saved view: its query, camera and pins. */
export function useSavedViews(
  drawing: GraphView | undefined,
  graph: LiveGraph,
  address: GraphAddress,
  actions: GraphActions,
) {
  const [opened, setOpened] = useState<{ view: SavedView }>()

  // A view of another part of the graph is positioned again once its nodes have arrived.
  useEffect(() => {
    if (!drawing || !opened) return
    const { camera, pins } = opened.view
    if (pins) drawing.setPins(pins)
    if (camera) drawing.setCamera(camera)
  }, [drawing, graph, opened])

  function open(view: SavedView) {
    actions.change(readGraphAddress(parseSearch(view.search)))
    setOpened({ view })
  }
  return { search: searchOf(address), open }
}

/** The address as a query string without its question mark. */
export function searchOf(address: GraphAddress): string {
  return stringifySearch(writeGraphAddress(address)).slice(1)
}
