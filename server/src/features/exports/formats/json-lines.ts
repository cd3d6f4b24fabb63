import type { Entity } from '@loci/contract/entities'
import { exportVersion } from '@loci/contract/imports'
import type { Relation } from '@loci/contract/relations'
import { toIso } from '../../../ground/lib/time.ts'
import type { GraphSource, Pages } from '../graph-source.ts'

/** How a graph is written as JSON lines. */
type LineFormat = {
  /** `nextNumber` is above the numbers of all ids. */
  header: (at: number, nextNumber: number) => string
  entity: (entity: Entity, pages: Pages) => AsyncGenerator<string, void>
  relation: (relation: Relation) => string
}

const lineOf = (value: object) => `${JSON.stringify(value)}\n`

/** One text for each, since all together can be large. */
function* itemsOf(values: readonly unknown[], separator = ''): Generator<string, void> {
  for (const value of values) {
    yield separator + JSON.stringify(value)
    separator = ','
  }
}

/** Our own format, which holds everything. Observations past the first page follow in separate lines. */
const loci: LineFormat = {
  header: (at, nextNumber) =>
    lineOf({ type: 'loci', version: exportVersion, exportedAt: toIso(at), nextNumber }),
  async *entity(entity, pages) {
    let isFirst = true
    for await (const observations of pages) {
      const line = isFirst ? toLine(entity) : { type: 'observations', entity: entity.name }
      yield `${JSON.stringify(line).slice(0, -1)},"observations":[`
      yield* itemsOf(observations)
      yield ']}\n'
      isFirst = false
    }
  },
  relation: ({ id, fromEntityId: _, toEntityId: __, fromEntity, toEntity, type: ___, ...others }) =>
    lineOf({ type: 'relation', id, from: fromEntity.name, to: toEntity.name, ...others }),
}

function toLine({ id, name, type, metadata, observationsCount: _, ...others }: Entity) {
  const isEmpty = Object.keys(metadata).length === 0
  return { type: 'entity', id, name, entityType: type, ...(isEmpty ? {} : { metadata }), ...others }
}

/** The format of the reference memory server, with its key order; one line per entity, however long. */
const mcpMemory: LineFormat = {
  header: () => '',
  async *entity({ name, type }, pages) {
    yield `{"type":"entity","name":${JSON.stringify(name)},"entityType":${JSON.stringify(type)},"observations":[`
    let separator = ''
    for await (const page of pages) {
      const texts = page.map(({ content }) => content)
      yield* itemsOf(texts, separator)
      if (texts.length > 0) separator = ','
    }
    yield ']}\n'
  },
  relation: ({ fromEntity, toEntity, relationType }) =>
    lineOf({ type: 'relation', from: fromEntity.name, to: toEntity.name, relationType }),
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
