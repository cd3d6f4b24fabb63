import { exportVersion } from '@loci/contract/imports'
import { toId } from '../../../lib/ids.ts'
import { toIso } from '../../../lib/time.ts'
import type { ExportedEntity, ExportedObservation, ExportedRelation } from '../exports.repo.ts'
import type { GraphSource, Pages } from '../graph-source.ts'

/** How a graph is written as JSON lines. */
type LineFormat = {
  /** `nextNumber` is above the numbers of all ids. */
  header: (at: number, nextNumber: number) => string
  entity: (entity: ExportedEntity, pages: Pages) => AsyncGenerator<string, void>
  relation: (relation: ExportedRelation) => string
}

const lineOf = (value: object) => `${JSON.stringify(value)}\n`

/** Our own format, which holds everything. Observations past the first page follow in separate lines. */
const loci: LineFormat = {
  header: (at, nextNumber) =>
    lineOf({ type: 'loci', version: exportVersion, exportedAt: toIso(at), nextNumber }),
  async *entity(entity, pages) {
    let isFirst = true
    for await (const page of pages) {
      const observations = page.map(toObservation)
      yield isFirst
        ? lineOf({ ...toEntity(entity), observations })
        : lineOf({ type: 'observations', entity: entity.name, observations })
      isFirst = false
    }
  },
  relation: ({ id, from, to, type, createdAt }) =>
    lineOf({
      type: 'relation',
      id: toId('rel', id),
      from,
      to,
      relationType: type,
      createdAt: toIso(createdAt),
    }),
}

function toEntity({ id, name, aliases, type, metadata, createdAt, updatedAt }: ExportedEntity) {
  return {
    type: 'entity',
    id: toId('ent', id),
    name,
    ...(aliases === null ? {} : { aliases: JSON.parse(aliases) }),
    entityType: type,
    ...(metadata === '{}' ? {} : { metadata: JSON.parse(metadata) }),
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
  }
}

function toObservation({ id, content, metadata, createdAt, updatedAt }: ExportedObservation) {
  return {
    id: toId('obs', id),
    content,
    ...(metadata === null ? {} : { metadata: JSON.parse(metadata) }),
    createdAt: toIso(createdAt),
    ...(updatedAt === null ? {} : { updatedAt: toIso(updatedAt) }),
  }
}

/** The format of the reference memory server, with its key order; one line per entity, however long. */
const mcpMemory: LineFormat = {
  header: () => '',
  async *entity({ name, type }, pages) {
    yield `{"type":"entity","name":${JSON.stringify(name)},"entityType":${JSON.stringify(type)},"observations":[`
    let separator = ''
    for await (const page of pages) {
      if (page.length > 0) yield separator + page.map(({ content }) => JSON.stringify(content)).join(',')
      separator = ','
    }
    yield ']}\n'
  },
  relation: ({ from, to, type }) => lineOf({ type: 'relation', from, to, relationType: type }),
}

/** Entities, then relations, which name them. */
const written = ({ header, entity, relation }: LineFormat) =>
  async function* (source: GraphSource): AsyncGenerator<string, void> {
    yield header(source.at, source.nextNumber)
    for await (const [row, observations] of source.entities()) yield* entity(row, observations)
    for await (const row of source.relations()) yield relation(row)
  }

export const writeLoci = written(loci)
export const writeMcpMemory = written(mcpMemory)
