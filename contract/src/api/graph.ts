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
    summary: 'The graph, or the part around a root',
    ...json,
    query: GraphDataQuery,
    response: GraphData,
  },
  graphStream: {
    method: 'GET',
    path: '/api/relations/graph/stream',
    access: 'memory:read',
    tag: 'Graph',
    summary: 'The same for large graphs, as JSON lines: entities first, then relations, `truncated` last',
    ...json,
    query: GraphStreamQuery,
    produces: 'application/x-ndjson',
  },
  shortestPath: {
    method: 'GET',
    path: '/api/relations/graph/path',
    access: 'memory:read',
    tag: 'Graph',
    summary: 'The shortest path between two entities, relations taken both ways',
    ...json,
    query: ShortestPathQuery,
    response: GraphData,
  },
  graphNotes: {
    method: 'GET',
    path: '/api/relations/graph/notes',
    access: 'memory:read',
    tag: 'Graph',
    summary: 'The newest observation of each of some entities',
    ...json,
    query: GraphNotesQuery,
    response: GraphNotes,
  },
  neighbourhood: {
    method: 'GET',
    path: '/api/relations/graph/:id',
    access: 'memory:read',
    tag: 'Graph',
    summary: 'The neighbourhood of an entity',
    ...json,
    query: NeighbourhoodQuery,
    response: GraphData,
  },
})
