import { AppError } from '../../../ground/errors/app-error.ts'
import { parseJson } from '../../../ground/lib/json.ts'
import { readCsv } from '../../../ground/lib/read-csv.ts'
import { readJson } from '../sources/read-json.ts'
import type { SourceFile } from '../sources/source.ts'
import type { Format, Part } from './format.ts'
import {
  entityLines,
  type LinePlace,
  listOf,
  metadataOf,
  momentOf,
  observationsLines,
  problemLine,
  recordOf,
  relationLine,
  textOf,
} from './lines.ts'

/*
 * Zep and Graphiti: nodes and edges as their APIs return them (help.getzep.com, "Get User Nodes", "Get User Edges";
 * graphiti_core/nodes.py EntityNode and edges.py EntityEdge): `{"nodes": [{"uuid", "name", "labels", "summary",
 * "attributes", "created_at"}], "edges": [{"uuid", "name", "fact", "source_node_uuid", "target_node_uuid",
 * "created_at", "valid_at", "invalid_at", "expired_at"}]}`, lists of one kind, or tables of them as CSV. Names are in
 * snake_case in Python, in camelCase in TypeScript; both are read.
 *
 * A node becomes an entity with its summary as an observation. An edge becomes a relation, and its fact an observation
 * of its source node, with the times during which it was true in its metadata.
 *
 * Uncertain: neither program exports to files, so the structure around the lists is the one that people write by hand.
 */

const genericLabels = new Set(['Entity', 'Node'])
const rowLengthMax = 2_000_000

export const graphiti: Format = {
  format: 'graphiti',
  recognise(shape) {
    if (shape.kind === 'text') return partOfTable(shape.text)
    if (shape.kind !== 'json') return undefined
    const item = snakeCase(shape.item)
    if (textOf(item.uuid) === '') return undefined
    const isEdge = 'source_node_uuid' in item && 'target_node_uuid' in item
    const isNode = textOf(item.name) !== '' && ('labels' in item || 'summary' in item || 'group_id' in item)
    return isEdge || (isNode && !('chat_messages' in item)) ? 'json' : undefined
  },
  async *read(parts) {
    // A Zep account has some hundred thousand nodes at most.
    const names = new Map<string, string>()
    for await (const { item, place } of itemsOf(parts))
      if (!isEdge(item)) yield* nodeLines(item, names, place)
    for await (const { item, place } of itemsOf(parts)) if (isEdge(item)) yield* edgeLines(item, names, place)
  },
}

type Item = Record<string, unknown>

const isEdge = (item: Item) => 'source_node_uuid' in item || 'target_node_uuid' in item

/** `sourceNodeUuid` -> `source_node_uuid` */
function snakeCase(item: Item): Item {
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
}

function partOfTable(text: string): string | undefined {
  const [header = ''] = text.split(/\r?\n/, 1)
  const names = new Set(header.split(',').map((name) => name.replaceAll('"', '').trim()))
  const isTable =
    names.has('uuid') &&
    names.has('name') &&
    (names.has('source_node_uuid') || names.has('summary') || names.has('labels'))
  return isTable ? 'csv' : undefined
}

async function* itemsOf(parts: readonly Part[]): AsyncGenerator<{ item: Item; place: LinePlace }, void> {
  for (const { file, part } of parts) {
    if (part === 'csv') yield* rowsOf(file)
    else {
      for await (const { index, value } of readJson(file)) {
        const item = snakeCase(recordOf(value))
        if (index !== undefined && textOf(item.uuid) !== '')
          yield { item, place: { file: file.path, item: index + 1 } }
      }
    }
  }
}

async function* rowsOf(file: SourceFile): AsyncGenerator<{ item: Item; place: LinePlace }, void> {
  const stream = await file.open()
  stream.setEncoding('utf8')
  let header: string[] | undefined
  let row = 0
  try {
    for await (const fields of readCsv(stream, rowLengthMax)) {
      if (header === undefined) {
        header = fields.map((name) => name.replace(/^\uFEFF/, '').trim())
        continue
      }
      row += 1
      const item = Object.fromEntries(header.map((name, index) => [name, parsedCell(fields[index])]))
      yield { item, place: { file: file.path, item: row } }
    }
  } catch (cause) {
    throw new AppError('validation_failed', `${file.path} ${(cause as Error).message}`, { cause })
  } finally {
    stream.destroy()
  }
}

/** Table cells hold lists and objects as JSON, or as Python prints them, with single quotes. */
function parsedCell(text = ''): unknown {
  if (!/^[[{]/.test(text)) return text
  return parseJson(text) ?? parseJson(text.replaceAll("'", '"')) ?? text
}

function* nodeLines(item: Item, names: Map<string, string>, place: LinePlace): Generator<string, void> {
  const name = textOf(item.name)
  if (name === '') {
    yield problemLine('The node has no name', place)
    return
  }
  names.set(textOf(item.uuid), name)
  const labels = listOf(item.labels).filter((label) => typeof label === 'string' && !genericLabels.has(label))
  const createdAt = momentOf(item.created_at)
  const { metadata, problem } = metadataOf({
    ...recordOf(item.attributes),
    source: 'graphiti',
    group: item.group_id,
  })
  const summary = textOf(item.summary)
  yield* entityLines(
    {
      name,
      entityType: textOf(labels[0]).toLowerCase() || 'concept',
      ...(metadata === undefined ? {} : { metadata }),
      createdAt,
      observations: summary === '' ? [] : [{ content: summary, createdAt }],
      problems: problem === undefined ? [] : [problem],
    },
    place,
  )
}

function* edgeLines(
  item: Item,
  names: ReadonlyMap<string, string>,
  place: LinePlace,
): Generator<string, void> {
  const [source, target] = [textOf(item.source_node_uuid), textOf(item.target_node_uuid)]
  const [from, to] = [names.get(source), names.get(target)]
  if (from === undefined || to === undefined) {
    yield problemLine(
      `The edge names the node ${from === undefined ? source : target}, which is not in the export`,
      place,
    )
    return
  }
  const createdAt = momentOf(item.created_at)
  const fact = textOf(item.fact)
  if (fact !== '') {
    const times = { validAt: item.valid_at, invalidAt: item.invalid_at, expiredAt: item.expired_at }
    const { metadata } = metadataOf({ about: to, ...times })
    yield* observationsLines(from, [{ content: fact, createdAt, metadata }], place)
  }
  if (from === to) {
    yield problemLine('The edge leads from a node to itself; only its fact was imported', place)
    return
  }
  yield relationLine({ from, to, relationType: textOf(item.name).toLowerCase(), createdAt }, place)
}
