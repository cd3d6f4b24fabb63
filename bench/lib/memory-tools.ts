import type { McpPeer } from './mcp-peer.ts'
import { nameOf, rareWord, sentence } from './sample-graph.ts'

/** A tool of the reference memory server, with a repeatable call. */
export type MemoryTool = {
  name: string
  /** Prepares the call; not timed. */
  prepare?: (peer: McpPeer, round: number) => Promise<unknown>
  call: (peer: McpPeer, round: number) => Promise<string>
  /** Takes back what the call has stored, so that the graph keeps its size; not timed. */
  undo?: (peer: McpPeer, round: number) => Promise<unknown>
  /** Servers without such a tool, or with a different one of that name. */
  lacking?: readonly string[]
}

const lacking = ['libsql']

/** Entities used from the sample graph, which has at least this many. */
const placesUsed = 500
const known = (round: number) => nameOf(round % placesUsed)

const entityOf = (round: number) => ({
  name: `new ${round}`,
  entityType: 'note',
  observations: [sentence(round)],
})
const relationOf = (round: number) => ({
  from: known(round),
  to: known(round + 1),
  relationType: `of round ${round}`,
})
const observationOf = (round: number) => `${sentence(round)} (round ${round})`

const create = (peer: McpPeer, name: string) =>
  peer.call('create_entities', { entities: [{ name, entityType: 'note', observations: [sentence(1)] }] })
const remove = (peer: McpPeer, name: string) => peer.call('delete_entities', { entityNames: [name] })
const relate = (peer: McpPeer, round: number) =>
  peer.call('create_relations', { relations: [relationOf(round)] })
const add = (peer: McpPeer, round: number) =>
  peer.call('add_observations', {
    observations: [{ entityName: known(round), contents: [observationOf(round)] }],
  })

const unrelate = (peer: McpPeer, round: number) =>
  peer.call('delete_relations', { relations: [relationOf(round)] })
const takeBack = (peer: McpPeer, round: number) =>
  peer.call('delete_observations', {
    deletions: [{ entityName: known(round), observations: [observationOf(round)] }],
  })

export const memoryTools: readonly MemoryTool[] = [
  {
    name: 'create_entities',
    call: (peer, round) => peer.call('create_entities', { entities: [entityOf(round)] }),
    undo: (peer, round) => remove(peer, `new ${round}`),
  },
  { name: 'create_relations', lacking, call: relate, undo: unrelate },
  { name: 'add_observations', lacking, call: add, undo: takeBack },
  {
    name: 'delete_entities',
    lacking,
    prepare: (peer, round) => create(peer, `gone ${round}`),
    call: (peer, round) => remove(peer, `gone ${round}`),
  },
  {
    name: 'delete_observations',
    lacking,
    prepare: add,
    call: takeBack,
  },
  {
    name: 'delete_relations',
    lacking,
    prepare: relate,
    call: unrelate,
  },
  { name: 'read_graph', lacking, call: (peer) => peer.call('read_graph', {}) },
  { name: 'search_nodes', call: (peer) => peer.call('search_nodes', { query: rareWord }) },
  { name: 'open_nodes', lacking, call: (peer, round) => peer.call('open_nodes', { names: [known(round)] }) },
]
