import { toCsvLine } from '../../../lib/csv.ts'
import { toId } from '../../../lib/ids.ts'
import { toIso } from '../../../lib/time.ts'
import type { ZipFile } from '../../../lib/zip.ts'
import type { GraphSource } from '../graph-source.ts'

/** A table each of entities, observations and relations. */
export async function* writeCsv(source: GraphSource): AsyncGenerator<ZipFile, void> {
  yield { path: 'entities.csv', content: entityRows(source) }
  yield { path: 'observations.csv', content: observationRows(source) }
  yield { path: 'relations.csv', content: relationRows(source) }
}

async function* entityRows(source: GraphSource): AsyncGenerator<string, void> {
  yield toCsvLine(['id', 'name', 'type', 'aliases', 'metadata', 'observations', 'createdAt', 'updatedAt'])
  for await (const page of source.entityPages()) {
    const rows = page.map(({ id, name, type, aliases, metadata, observationsCount, ...times }) => {
      const about = [aliases ?? '', metadata === '{}' ? '' : metadata, String(observationsCount)]
      const moments = [toIso(times.createdAt), toIso(times.updatedAt)]
      return toCsvLine([toId('ent', id), name, type, ...about, ...moments])
    })
    yield rows.join('')
  }
}

async function* observationRows(source: GraphSource): AsyncGenerator<string, void> {
  yield toCsvLine(['id', 'entityId', 'entity', 'content', 'metadata', 'createdAt', 'updatedAt'])
  for await (const [entity, pages] of source.entities()) {
    for await (const page of pages) {
      const rows = page.map(({ id, content, metadata, createdAt, updatedAt }) => {
        const moments = [toIso(createdAt), updatedAt === null ? '' : toIso(updatedAt)]
        return toCsvLine([
          toId('obs', id),
          toId('ent', entity.id),
          entity.name,
          content,
          metadata ?? '',
          ...moments,
        ])
      })
      yield rows.join('')
    }
  }
}

async function* relationRows(source: GraphSource): AsyncGenerator<string, void> {
  yield toCsvLine(['id', 'fromId', 'from', 'type', 'toId', 'to', 'createdAt'])
  for await (const { id, fromId, from, type, toId: target, to, createdAt } of source.relations()) {
    yield toCsvLine([
      toId('rel', id),
      toId('ent', fromId),
      from,
      type,
      toId('ent', target),
      to,
      toIso(createdAt),
    ])
  }
}
