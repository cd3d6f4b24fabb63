import type { GraphAddress } from './graph-address.ts'
import { GraphStatistics } from './graph-statistics.tsx'
import type { LiveGraph } from './live-graph.ts'
import { NodeSearch } from './node-search.tsx'
import { NodeTypes } from './node-types.tsx'
import { RelationFilter } from './relation-filter.tsx'
import type { GraphActions } from './use-graph-actions.ts'

type GraphFiltersProps = {
  graph: LiveGraph
  address: GraphAddress
  actions: GraphActions
  mapFull: boolean
}

/** The node search, and the filters by type of node and of relation. */
export function GraphFilters({ graph, address, actions, mapFull }: GraphFiltersProps) {
  return (
    <>
      <NodeSearch onPick={actions.pick} />
      <NodeTypes graph={graph} hidden={address.hiddenTypes} onChange={actions.hideTypes} />
      <RelationFilter graph={graph} hidden={address.hiddenRelations} onChange={actions.hideRelations} />
      <GraphStatistics graph={graph} mapFull={mapFull} />
    </>
  )
}
