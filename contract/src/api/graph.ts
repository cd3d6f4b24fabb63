import { endpoints } from '../endpoint.ts'
import {
  GraphData,
  GraphDataQuery,
  GraphNotes,
  GraphNotesQuery,
  GraphStreamQuery,
  NeighbourhoodQuery,
  ShortestPathQuery,
} from '../graph.ts'
import { json } from './statuses.ts'

export const graphApi = endpoints({
  graphData: {
    method: 'GET',
    path: '/api/relations/graph/data',
    access: 'memory:read',
    tag: 'Graph',
    summary: 'Get the graph, or the part around a root',
    ...json,
    query: GraphDataQuery,
    response: GraphData,
  },
  graphStream: {
    method: 'GET',
    path: '/api/relations/graph/stream',
    access: 'memory:read',
    tag: 'Graph',
    summary: 'Stream the graph as JSON lines: entities, then relations, then `truncated`',
    ...json,
    query: GraphStreamQuery,
    produces: 'application/x-ndjson',
  },
  shortestPath: {
    method: 'GET',
    path: '/api/relations/graph/path',
    access: 'memory:read',
    tag: 'Graph',
    summary: 'Find the shortest path between two entities, following relations in both directions',
    ...json,
    query: ShortestPathQuery,
    response: GraphData,
  },
  graphNotes: {
    method: 'GET',
    path: '/api/relations/graph/notes',
    access: 'memory:read',
    tag: 'Graph',
    summary: 'List the newest observation of each of the given entities',
    ...json,
    query: GraphNotesQuery,
    response: GraphNotes,
  },
  neighbourhood: {
    method: 'GET',
    path: '/api/relations/graph/:id',
    access: 'memory:read',
    tag: 'Graph',
    summary: 'Get the neighbourhood of an entity',
    ...json,
    query: NeighbourhoodQuery,
    response: GraphData,
  },
})
