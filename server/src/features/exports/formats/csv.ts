import { toCsvHead, toCsvLine } from '../../../ground/lib/csv.ts'
import { joinPieces } from '../../../ground/lib/join-pieces.ts'
import type { ZipFile } from '../../../ground/lib/zip.ts'
import { observationFields } from '../../../rows/codec.ts'
import type { GraphSource } from '../graph-source.ts'

const pieceLength = 64 * 1024

/** A table each of entities, observations and relations. */
export async function* writeCsv(source: GraphSource): AsyncGenerator<ZipFile, void> {
  yield { path: 'entities.csv', content: joinPieces(entityRows(source), pieceLength) }
  yield { path: 'observations.csv', content: joinPieces(observationRows(source), pieceLength) }
  yield { path: 'relations.csv', content: joinPieces(relationRows(source), pieceLength) }
}

async function* entityRows(source: GraphSource): AsyncGenerator<string, void> {
  yield toCsvHead(['id', 'name', 'type', 'aliases', 'metadata', 'observations', 'createdAt', 'updatedAt'])
  for await (const page of source.entityPages()) {
    const rows = page.map(({ id, name, type, aliases, metadata, observationsCount, ...times }) => {
      const isEmpty = Object.keys(metadata).length === 0
      const about = [textOf(aliases), isEmpty ? '' : textOf(metadata), String(observationsCount)]
      return toCsvLine([id, name, type, ...about, times.createdAt, times.updatedAt])
    })
    yield rows.join('')
  }
}

async function* observationRows(source: GraphSource): AsyncGenerator<string, void> {
  const { names } = observationFields
  yield toCsvHead(['id', 'entityId', 'entity', 'content', ...names, 'createdAt', 'updatedAt'])
  for await (const [entity, pages] of source.entities()) {
    for await (const page of pages) {
      const rows = page.map(({ id, content, createdAt, updatedAt = '', ...carried }) => {
        const values = names.map((name) => textOf(carried[name]))
        return toCsvLine([id, entity.id, entity.name, content, ...values, createdAt, updatedAt])
      })
      yield rows.join('')
    }
  }
}

async function* relationRows(source: GraphSource): AsyncGenerator<string, void> {
  yield toCsvHead(['id', 'fromId', 'from', 'type', 'toId', 'to', 'createdAt'])
  for await (const {
    id,
    fromEntityId,
    fromEntity,
    type,
    toEntityId,
    toEntity,
    createdAt,
  } of source.relations())
    yield toCsvLine([id, fromEntityId, fromEntity.name, type, toEntityId, toEntity.name, createdAt])
}

const textOf = (value: unknown) =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
