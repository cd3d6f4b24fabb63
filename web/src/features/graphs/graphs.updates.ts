import type { GraphData } from '@loci/contract/graph'
import type { GraphEvent } from '@loci/contract/realtime'
import type { Query, QueryClient } from '@tanstack/react-query'
import { calm } from '../../lib/calm.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { currentScope } from '../../lib/scope.ts'
import { isLarge } from './graph-address.ts'
import { LiveGraph } from './live-graph.ts'
import { applyEvents, patchGraph } from './patch-graph.ts'

const patchIntervalMs = 150
const renewIntervalMs = 2_000

/** Applies changes to the graphs at once, and refetches them when events have paused. */
export function createGraphUpdates(client: QueryClient): (event: GraphEvent) => void {
  let waiting: GraphEvent[] = []
  let scope = currentScope()
  const patch = calm(() => {
    const events = waiting
    waiting = []
    // Graphs of another space do not receive this space's events.
    if (scope === currentScope()) patchCached(client, events)
  }, patchIntervalMs)
  const renew = calm(() => void client.invalidateQueries({ predicate: isRenewed }), renewIntervalMs)
  return (event) => {
    if (scope !== currentScope()) waiting = []
    scope = currentScope()
    waiting.push(event)
    patch()
    renew()
  }
}

/** Large graphs are only patched: refetching one at every change would never end. */
function isRenewed({ queryKey }: Query): boolean {
  const graph = queryKeys.graph()
  if (!graph.every((part, at) => part === queryKey[at])) return false
  const [kind, limit] = queryKey.slice(graph.length)
  return !(kind === queryKeys.graphData().at(-1) && typeof limit === 'number' && isLarge(limit))
}

function patchCached(client: QueryClient, events: readonly GraphEvent[]): void {
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: queryKeys.graph() })) {
    client.setQueryData<LiveGraph | GraphData>(queryKey, (graph) => {
      if (!(graph instanceof LiveGraph)) return graph && patchGraph(graph, events)
      applyEvents(graph, events, true)
      return graph
    })
  }
}
