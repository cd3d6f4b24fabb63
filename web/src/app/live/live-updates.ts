import type { GraphEvent } from '@loci/contract/realtime'
import type { QueryClient } from '@tanstack/react-query'
import { createEntityUpdates } from '../../features/entities/entities.updates.ts'
import { createGraphUpdates } from '../../features/graphs/graphs.updates.ts'
import { createRelationUpdates } from '../../features/relations/relations.updates.ts'
import { calm } from '../../lib/calm.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const summaryIntervalMs = 1_000
const agentsIntervalMs = 60_000
/** A search costs more than a page of a list, and its results should not move under the reader all the time. */
const searchIntervalMs = 5_000
const briefIntervalMs = 5_000

/** Applies each change of the graph, whoever made it, to the query cache. */
export function createLiveUpdates(client: QueryClient): (event: GraphEvent) => void {
  const updateEntities = createEntityUpdates(client)
  const updateRelations = createRelationUpdates(client)
  const updateGraphs = createGraphUpdates(client)
  const renewSummaries = calm(() => {
    void client.invalidateQueries({ queryKey: queryKeys.analytics() })
    void client.invalidateQueries({ queryKey: queryKeys.history() })
    void client.invalidateQueries({ queryKey: queryKeys.duplicates(), refetchType: 'none' })
    void client.invalidateQueries({ queryKey: queryKeys.health(), refetchType: 'none' })
  }, summaryIntervalMs)
  const renewSearch = calm(
    () => void client.invalidateQueries({ queryKey: queryKeys.search() }),
    searchIntervalMs,
  )
  const renewBrief = calm(
    () => void client.invalidateQueries({ queryKey: queryKeys.briefNews() }),
    briefIntervalMs,
  )
  const renewAgents = calm(
    () => void client.invalidateQueries({ queryKey: queryKeys.agents() }),
    agentsIntervalMs,
  )
  return (event) => {
    updateEntities(event)
    updateRelations(event)
    updateGraphs(event)
    renewSummaries()
    renewSearch()
    renewBrief()
    renewAgents()
  }
}

/** Renews the inbox and its counts when something was proposed or decided on. */
export function createProposalUpdates(client: QueryClient): () => void {
  return calm(() => {
    void client.invalidateQueries({ queryKey: queryKeys.proposals() })
    void client.invalidateQueries({ queryKey: queryKeys.waitingProposals() })
  }, summaryIntervalMs)
}
