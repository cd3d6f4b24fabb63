import type { RestClient } from '@loci/client/rest'
import { batchItemsMax } from '@loci/contract/graph'
import { buildDemoGraph } from './demo-graph.ts'

/** A batch holds at most 1,000 observations. */
const entitiesPerBatch = 200

/** Stores the demo graph in the caller's account. */
export async function storeDemoGraph(rest: RestClient): Promise<void> {
  const { entities, relations } = buildDemoGraph()
  for (let start = 0; start < entities.length; start += entitiesPerBatch) {
    await rest.createBatch({ body: { entities: entities.slice(start, start + entitiesPerBatch) } })
  }
  for (let start = 0; start < relations.length; start += batchItemsMax) {
    await rest.createBatch({ body: { relations: relations.slice(start, start + batchItemsMax) } })
  }
}
