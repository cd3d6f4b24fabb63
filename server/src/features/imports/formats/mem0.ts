import { readJson } from '../sources/read-json.ts'
import type { Format } from './format.ts'
import {
  entityLines,
  type LinePlace,
  metadataOf,
  momentOf,
  type ObservationToWrite,
  observationsLines,
  problemLine,
  recordOf,
  relationLine,
  textOf,
} from './lines.ts'

/*
 * mem0: the JSON of `get_all()` (docs.mem0.ai, "Get Memories"; the open source package's Memory.get_all): `{"results":
 * [{"id", "memory", "hash", "metadata", "categories", "created_at", "updated_at", "user_id", "agent_id", "run_id"}],
 * "relations": [{"source", "relationship", "target"}]}`, or just the list. A memory becomes an observation of the user
 * (else agent, app or run) that it is about.
 *
 * Uncertain: depending on the version, the API names the end of a relation `target` or `destination`, and its kind
 * `relationship` or `relation`.
 */

const owners = [
  ['user_id', 'person'],
  ['agent_id', 'agent'],
  ['app_id', 'app'],
  ['run_id', 'run'],
] as const
const noOwner = 'mem0 memories'

export const mem0: Format = {
  format: 'mem0',
  recognise(shape) {
    if (shape.kind !== 'json') return undefined
    const { item, listKey } = shape
    const isMemory =
      textOf(item.memory) !== '' && ['id', 'hash', 'user_id', 'created_at'].some((key) => key in item)
    if (isMemory && (listKey ?? 'results') === 'results') return 'memories'
    if (isMemory && listKey === 'memories') return 'memories'
    const isRelation = textOf(item.source) !== '' && kindOf(item) !== ''
    return isRelation && listKey === 'relations' ? 'memories' : undefined
  },
  async *read(parts) {
    const seen = new Set<string>()
    for (const { file } of parts) {
      for await (const { key, index, value } of readJson(file)) {
        if (index === undefined) continue
        const place = { file: file.path, item: index + 1 }
        const item = recordOf(value)
        yield* key === 'relations' ? relationLines(item, seen, place) : memoryLines(item, seen, place)
      }
    }
  },
}

const kindOf = (item: Record<string, unknown>) => textOf(item.relationship) || textOf(item.relation)

function* memoryLines(
  item: Record<string, unknown>,
  seen: Set<string>,
  place: LinePlace,
): Generator<string, void> {
  const content = textOf(item.memory)
  if (content === '') {
    yield problemLine('The memory has no text', place)
    return
  }
  const [key, type] = owners.find(([name]) => textOf(item[name]) !== '') ?? [undefined, 'memories']
  const name = key === undefined ? noOwner : textOf(item[key])
  yield* newEntity(name, type, seen, place)
  const { metadata, problem } = metadataOf({ ...recordOf(item.metadata), categories: item.categories })
  const createdAt = momentOf(item.created_at)
  const observation: ObservationToWrite = { content, createdAt, metadata }
  yield* observationsLines(name, [observation], place, problem === undefined ? [] : [problem])
}

function* relationLines(
  item: Record<string, unknown>,
  seen: Set<string>,
  place: LinePlace,
): Generator<string, void> {
  const [from, to] = [textOf(item.source), textOf(item.target) || textOf(item.destination)]
  if (from === '' || to === '') {
    yield problemLine('The relation lacks an end', place)
    return
  }
  yield* newEntity(from, textOf(item.source_type) || 'concept', seen, place)
  yield* newEntity(to, textOf(item.destination_type) || 'concept', seen, place)
  yield relationLine({ from, to, relationType: kindOf(item), createdAt: momentOf(item.created_at) }, place)
}

/** The first line about a subject, which later observations require. */
function* newEntity(
  name: string,
  entityType: string,
  seen: Set<string>,
  place: LinePlace,
): Generator<string, void> {
  if (seen.has(name)) return
  seen.add(name)
  yield* entityLines({ name, entityType, metadata: { source: 'mem0' }, observations: [] }, place)
}
