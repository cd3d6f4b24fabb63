import { createRestClient, type RestClient } from '@loci/client/rest'
import { connectHttpPeer, type McpPeer } from './mcp-peer.ts'
import { median, type Row, times } from './report.ts'
import { sentence } from './sample-graph.ts'

const smallCount = 20
const callsPerTurn = 10
const turns = 4
const perRequest = 1_000

type Clients = { rest: RestClient; mcp: McpPeer }
type Subject = { id: string; name: string; neighbours: string[] }
/** One or two calls about an entity; `i` differs each time. */
type Calls = Record<string, (entity: Subject, i: number) => Promise<unknown>>

/**
 * Processor time of calls about an entity with `count` observations, or relations, and of the same calls about one with
 * twenty, in turns.
 */
export async function measureFlatCosts(
  { url, apiKey }: { url: string; apiKey: string },
  count: number,
  processorMs: () => Promise<number>,
): Promise<Row[]> {
  const rest = createRestClient({ baseUrl: url, token: () => apiKey })
  const clients = { rest, mcp: connectHttpPeer(url, apiKey) }
  await rest.createEntity({ body: { name: 'Other', type: 'note' } })
  const [short, long] = [await withFacts(rest, 'Short', smallCount), await withFacts(rest, 'Long', count)]
  const [node, hub] = [await withRelations(rest, 'Node', smallCount), await withRelations(rest, 'Hub', count)]
  const rows: Row[] = []
  for (const [of, calls, small, large] of [
    ['observations', callsOnFacts(clients), short, long],
    ['relations', callsOnRelations(clients), node, hub],
  ] as const) {
    for (const [name, call] of Object.entries(calls)) {
      const taken = await takeTurns(call, [small, large], processorMs)
      const [less, more] = taken.map(median) as [number, number]
      const ms = { [`${smallCount}, ms`]: less.toFixed(1), [`${count}, ms`]: more.toFixed(1) }
      rows.push({ of, call: name, ...ms, ratio: times(more / less) })
    }
  }
  await clients.mcp.close()
  return rows
}

/** Milliseconds per call of each turn; the first turn only warms up. */
async function takeTurns(
  call: Calls[string],
  subjects: readonly Subject[],
  processorMs: () => Promise<number>,
): Promise<number[][]> {
  const taken: number[][] = subjects.map(() => [])
  for (let turn = 0; turn <= turns; turn++) {
    for (const [which, subject] of subjects.entries()) {
      const before = await processorMs()
      for (let n = 0; n < callsPerTurn; n++) await call(subject, turn * callsPerTurn + n)
      if (turn > 0) taken[which]!.push(((await processorMs()) - before) / callsPerTurn)
    }
  }
  return taken
}

async function withFacts(rest: RestClient, name: string, count: number): Promise<Subject> {
  const { entity } = await rest.createEntity({ body: { name, type: 'note' } })
  for (let from = 0; from < count; from += perRequest) {
    const length = Math.min(perRequest, count - from)
    const observations = Array.from({ length }, (_, i) => sentence(from + i))
    await rest.createObservations({ params: { id: entity.id }, body: { observations } })
  }
  return { id: entity.id, name, neighbours: [] }
}

async function withRelations(rest: RestClient, name: string, count: number): Promise<Subject> {
  const { entity } = await rest.createEntity({ body: { name, type: 'note' } })
  const neighbours = Array.from({ length: count }, (_, i) => `Neighbour ${i} of ${name}`)
  for (let from = 0; from < count; from += perRequest) {
    const some = neighbours.slice(from, from + perRequest)
    await rest.createBatch({
      body: {
        entities: some.map((neighbour) => ({ name: neighbour, type: 'note' })),
        relations: some.map((to) => ({ from: name, to, type: 'knows' })),
      },
    })
  }
  return { id: entity.id, name, neighbours }
}

const newText = (i: number) => `${sentence(i)}, which nobody had written before ${i}`

const callsOnFacts = ({ rest, mcp }: Clients): Calls => ({
  'add_observations, new': ({ name }, i) =>
    mcp.call('add_observations', { observations: [{ entityName: name, contents: [newText(i)] }] }),
  'add_observations, known': ({ name }) =>
    mcp.call('add_observations', { observations: [{ entityName: name, contents: [sentence(7)] }] }),
  'update_observation, twice': async ({ name }, i) => {
    const change = { entityName: name, observation: newText(i), newObservation: `${newText(i)}, or so` }
    await mcp.call('update_observation', change)
    await mcp.call('update_observation', {
      ...change,
      observation: change.newObservation,
      newObservation: newText(i),
    })
  },
  'delete_observations, by text': ({ name }, i) =>
    mcp.call('delete_observations', { deletions: [{ entityName: name, observations: [newText(i)] }] }),
  'add, and delete_observations by id': async ({ id, name }) => {
    const { observations } = await rest.createObservations({ params: { id }, body: { content: 'For now' } })
    const deletions = [{ entityName: name, observations: [observations[0]!.id] }]
    await mcp.call('delete_observations', { deletions })
  },
  'add, and DELETE observation': async ({ id }) => {
    const { observations } = await rest.createObservations({ params: { id }, body: { content: 'For now' } })
    await rest.deleteObservation({ params: { id, observationId: observations[0]!.id } })
  },
  'add, and undo': async ({ id }) => {
    let setId = ''
    const onHeaders = (headers: Headers) => {
      setId = headers.get('loci-change-set') ?? ''
    }
    await rest.createObservations({ params: { id }, body: { content: 'For now' }, onHeaders })
    await rest.undoChangeSet({ params: { setId } })
  },
  explore_entity: ({ name }) => mcp.call('explore_entity', { name }),
  'open_nodes (fills its answer)': ({ name }) => mcp.call('open_nodes', { names: [name] }),
  'update_entity, name, twice': ({ name }) => renameTwice(mcp, name),
  'update_entity, type': ({ name }, i) => mcp.call('update_entity', { name, entityType: `type ${i % 2}` }),
  'create, and merge_entities into it': async ({ name }, i) => {
    const merged = `Draft of ${name} ${i}`
    const entities = [{ name: merged, entityType: 'note', observations: [newText(i + 0.5)] }]
    await mcp.call('create_entities', { entities })
    await mcp.call('merge_entities', { names: [merged], into: name })
  },
  'GET entities, latest': () => rest.listEntities({ query: { include: 'latest', limit: '50' } }),
  'GET changes of it': ({ id }) => rest.listChanges({ query: { entityId: id, limit: '50' } }),
  'GET entity (returns all)': ({ id }) => rest.getEntity({ params: { id } }),
})

const callsOnRelations = ({ rest, mcp }: Clients): Calls => ({
  'create_relations and delete_relations': async ({ name }) => {
    const relations = [{ from: name, to: 'Other', relationType: 'knows' }]
    await mcp.call('create_relations', { relations })
    await mcp.call('delete_relations', { relations })
  },
  'add_observations, new': ({ name }, i) =>
    mcp.call('add_observations', { observations: [{ entityName: name, contents: [newText(i)] }] }),
  explore_entity: ({ name }) => mcp.call('explore_entity', { name }),
  'open_nodes (fills its answer)': ({ name }) => mcp.call('open_nodes', { names: [name] }),
  find_path: ({ name, neighbours }) => mcp.call('find_path', { from: name, to: neighbours[10] }),
  'update_entity, name, twice': ({ name }) => renameTwice(mcp, name),
  'create, relate and merge_entities into it': async ({ name, neighbours }, i) => {
    const merged = `Draft of ${name} ${i}`
    await mcp.call('create_entities', {
      entities: [{ name: merged, entityType: 'note', observations: [] }],
    })
    const relations = [{ from: merged, to: neighbours[i % smallCount], relationType: `at ${i}` }]
    await mcp.call('create_relations', { relations })
    await mcp.call('merge_entities', { names: [merged], into: name })
  },
  'GET relations of it': ({ id }) => rest.listRelations({ query: { entityId: id, limit: '50' } }),
  'GET its neighbourhood': ({ id }) =>
    rest.graphData({ query: { rootEntityId: id, depth: '1', limit: '10' } }),
  'GET changes of it': ({ id }) => rest.listChanges({ query: { entityId: id, limit: '50' } }),
})

async function renameTwice(mcp: McpPeer, name: string): Promise<void> {
  await mcp.call('update_entity', { name, newName: `${name}, renamed` })
  await mcp.call('update_entity', { name: `${name}, renamed`, newName: name })
}
