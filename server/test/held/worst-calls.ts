import type { OperationId } from '@loci/contract/api'
import { bodyValuesMax } from '@loci/contract/endpoint'
import { encodePlaces } from '@loci/contract/place-codec'
import type { UglyMemory } from './ugly-memory.ts'
import { uglyMetadata, uglyText } from './worst-bodies.ts'

/** A call of an operation: `params` fill its path in order. */
export type WorstCall = { params?: string[]; query?: Record<string, string>; body?: unknown }

const question = uglyText(4_000)
const longQuestion = uglyText(10_000)
/** Without an answer in the index, the texts themselves are searched. */
const unwritten = 'nobody wrote this'
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const turnsOf = (run: number, count: number, textOf: (i: number) => string) => ({
  conversation: { agent: 'a', externalId: `run ${run}` },
  turns: times(count, (i) => ({
    ...{ externalId: String(i), at: '2026-01-01', role: 'tool', text: textOf(i) },
    ...{ tool: { name: 'bash', input: 'x' }, files: times(5, (n) => `/w/${i}/${n}`) },
  })),
})
const placesOf = (count: number) =>
  Buffer.from(
    encodePlaces(times(count, (i) => ({ entity: i + 1, x: i * 7 - 300_000, y: 9 * i, region: -1 }))),
  ).toString('base64')
const linesOf = (count: number) =>
  times(count, (i) =>
    JSON.stringify({
      ...{ type: 'entity', name: `Line ${i}`, entityType: 'line', metadata: uglyMetadata() },
      observations: [uglyText(20_000, i)],
    }),
  ).join('\n')
const exportOf = (count: number) =>
  JSON.stringify(
    times(count, (i) => ({
      ...{ title: `Worst ${i}`, conversation_id: `worst ${i}`, create_time: 1, current_node: 'a' },
      mapping: {
        a: {
          ...{ id: 'a', parent: null, children: [] },
          message: { id: 'a', author: { role: 'user' }, content: { parts: [uglyText(60_000, i)] } },
        },
      },
    })),
  )

/**
 * The worst calls that are answered, of the operations whose cost depends on what is stored or sent. Each is made when it
 * is asked for: all bodies together take hundreds of milliseconds.
 */
export const worstCalls = (
  ugly: UglyMemory,
  run: number,
): Partial<Record<OperationId, () => WorstCall[]>> => ({
  search: () => [
    { query: { query: 'word', limit: '500' } },
    { query: { query: question, limit: '500', expand: 'true' } },
    { query: { query: 'what about those', limit: '500' } },
    { query: { query: unwritten, limit: '500' } },
  ],
  searchObservations: () => [{ query: { query: 'word', limit: '500', context: '10' } }],
  searchTurns: () => [
    { query: { query: 'word', limit: '100', context: '5' } },
    { query: { query: question, limit: '100', near: 'word' } },
  ],
  searchByBody: () => [{ body: { query: longQuestion, limit: 500, expand: true } }],
  searchObservationsByBody: () => [{ body: { query: longQuestion, limit: 500, context: 10 } }],
  tryDoor: () => [{ body: { credential: 'personal', space: 'spc_1', text: longQuestion } }],
  previewRecall: () => [{ body: { query: longQuestion } }, { body: { query: unwritten } }],
  listEntities: () => [
    { query: { limit: '500', include: 'observations,by,relations' } },
    { query: { limit: '500', include: 'observations', query: 'word' } },
    { query: { limit: '500', include: 'observations', sort: 'facts' } },
    { query: { limit: '500', include: 'observations', asOf: '2100-01-01' } },
    { query: { limit: '500', types: 'heavy' } },
    { query: { limit: '500', types: 'heavy', asOf: '2100-01-01' } },
    { query: { limit: '500', types: 'thing', include: 'observations' } },
    { query: { limit: '500', types: 'thing', include: 'observations', asOf: '2100-01-01' } },
    { query: { limit: '500', types: 'heavy', query: 'Heavy' } },
  ],
  getEntity: () => [
    { params: [ugly.big], query: { include: 'by' } },
    { params: [ugly.big], query: { asOf: '2100-01-01' } },
    { params: [ugly.giant], query: { include: 'by' } },
    { params: [ugly.giant], query: { asOf: '2100-01-01' } },
  ],
  listChanges: () => [
    { query: { limit: '500' } },
    { query: { limit: '500', entityId: ugly.big, order: 'asc' } },
  ],
  listRelations: () => [
    { query: { limit: '500' } },
    { query: { limit: '500', query: question } },
    { query: { limit: '500', relationTypes: 'follows' } },
    { query: { limit: '500', relationTypes: 'follows', asOf: '2100-01-01' } },
  ],
  graphData: () => [
    { query: { limit: '5000', depth: '5' } },
    { query: { limit: '5000', depth: '5', rootEntityId: ugly.hub, asOf: '2100-01-01' } },
  ],
  graphStream: () => [{ query: { limit: '100000', depth: '5' } }],
  shortestPath: () => [{ query: { from: ugly.hub, to: ugly.far } }],
  neighbourhood: () => [{ params: [ugly.hub], query: { depth: '5' } }],
  graphNotes: () => [{ query: { ids: `${ugly.big},${ugly.giant},${ugly.hub}` } }],
  verifyObservations: () => [
    { body: { repository: 'r', files: times(2_000, (i) => ({ path: `src/${i}.ts`, hash: String(run) })) } },
  ],
  listCitedObservations: () => [{ query: { repository: 'r', limit: '500' } }],
  listStaleObservations: () => [{ query: { limit: '500' } }],
  listDuplicates: () => [{ query: { limit: '500' } }],
  getMemoryHealth: () => [{ query: { limit: '500' } }],
  export: () => [
    { query: {} },
    { query: { format: 'markdown' } },
    { query: { format: 'json-ld' } },
    { query: { asOf: '2100-01-01' } },
  ],
  createEntity: () => [
    {
      body: {
        name: `Long ${run}`,
        type: 'x',
        metadata: uglyMetadata(),
        observations: times(4, (i) => uglyText(65_000, i)),
      },
    },
    {
      body: {
        name: `Texts ${run}`,
        type: 'x',
        observations: times(300, (i) => ({ content: uglyText(500, i), metadata: { a: i } })),
      },
    },
  ],
  createBatch: () => [
    {
      body: {
        entities: times(400, (i) => ({
          name: `B${run} ${i}`,
          type: 'x',
          metadata: { a: Array(40).fill(i) },
        })),
        relations: times(1_000, (i) => ({
          from: `Leaf number ${1 + (i % 900)}`,
          to: 'Hub',
          type: `run ${run} ${i}`,
        })),
      },
    },
  ],
  createObservations: () => [
    { params: [ugly.hub], body: { observations: times(300, (i) => `${run} ${uglyText(1_000, i)}`) } },
  ],
  updateObservation: () => [
    {
      params: ugly.text,
      body: { content: uglyText(65_000, run), metadata: uglyMetadata() },
    },
  ],
  updateEntity: () => [
    {
      params: [ugly.big],
      body: { name: 'Big', type: 'thing', observations: times(100, (i) => uglyText(5_000, i + run)) },
    },
  ],
  putGraphPlaces: () => [{ body: { regions: [], places: placesOf(100_000) } }],
  getGraphPlaces: () => [{}],
  findInConversation: () => [{ params: [ugly.conversation], query: { query: 'nobody wrote this' } }],
  readConversation: () => [{ params: [ugly.conversation], query: { limit: '500' } }],
  storeTurns: () => [
    { body: turnsOf(run, 1_000, (i) => uglyText(2_000, i)) },
    { body: turnsOf(run, 1, () => 'password=aB3$xY9zQq12 '.repeat(300_000)) },
    { body: turnsOf(run, 1_000, () => 'token') },
  ],
  deleteEntities: () => [{ body: { ids: times(500, () => ugly.leaf) } }],
  retypeEntities: () => [{ body: { ids: times(500, () => ugly.hub), type: `type ${run}` } }],
  restoreEntity: () => [{ params: [ugly.leaf] }],
  previewImport: () => [
    { body: linesOf(10) },
    { body: linesOf(2) },
    { body: `{"type":"entity","name":"x","entityType":"y","observations":[${'1,'.repeat(bodyValuesMax)}1]}` },
    { body: `{}\n${'\n'.repeat(65_000)}{"type":"entity","name":"x","entityType":"y","observations":[]}` },
    { body: '\n'.repeat(960_000), query: { fileName: 'blank.md' } },
    { body: `---\n${times(90_000, (i) => `k${i}: 1\n`).join('')}---\n`, query: { fileName: 'front.md' } },
    { body: `# a${' '.repeat(900_000)}x`, query: { fileName: 'heading.md' } },
  ],
  importConversations: () => [{ body: exportOf(10) }],
  import: () => [{ body: linesOf(10) }, { body: linesOf(2) }],
})

/** The worst arguments of each tool, each made when it is asked for. */
export const worstArguments = (run: number): Record<string, () => object> => ({
  create_entities: () => ({
    entities: times(300, (i) => ({
      name: `M${run} ${i}`,
      entityType: 't',
      observations: [uglyText(1_000, i)],
    })),
  }),
  add_observations: () => ({
    observations: times(300, (i) => ({ entityName: `M${run} ${i}`, contents: [uglyText(1_000, i + 7)] })),
  }),
  create_relations: () => ({
    relations: times(1_000, (i) => ({ from: `M${run} ${i % 300}`, to: 'Hub', relationType: `new ${i}` })),
  }),
  update_entity: () => ({ name: `M${run} 1`, metadata: uglyMetadata() }),
  update_observation: () => ({
    entityName: `M${run} 1`,
    observation: uglyText(1_000, 1),
    newObservation: uglyText(65_000),
  }),
  update_relation: () => ({ from: `M${run} 0`, to: 'Hub', relationType: 'r0', newRelationType: 'r' }),
  read_graph: () => ({}),
  search_nodes: () => ({ query: longQuestion, limit: 50 }),
  open_nodes: () => ({ names: ['Giant', 'Big', 'Hub', ...times(60, (i) => `Essay ${i}`)] }),
  recall: () => ({ query: longQuestion, limit: 100 }),
  explore_entity: () => ({ name: 'Hub', depth: 5 }),
  find_path: () => ({ from: 'Hub', to: 'Leaf number 500' }),
  find_duplicates: () => ({ limit: 100 }),
  list_changes: () => ({ limit: 100 }),
  undo_changes: () => ({}),
  list_spaces: () => ({}),
  merge_entities: () => ({ names: times(100, (i) => `M${run} ${i + 1}`), into: `M${run} 0` }),
  delete_relations: () => ({
    relations: times(1_000, (i) => ({ from: `M${run} ${i % 300}`, to: 'Hub', relationType: `r${i}` })),
  }),
  delete_observations: () => ({
    deletions: times(300, (i) => ({ entityName: `M${run} ${i}`, observations: [uglyText(1_000, i)] })),
  }),
  delete_entities: () => ({ entityNames: times(300, (i) => `M${run} ${i}`) }),
})
