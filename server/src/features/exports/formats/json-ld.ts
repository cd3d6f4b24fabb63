import { toId } from '../../../lib/ids.ts'
import { toIso } from '../../../lib/time.ts'
import type { ExportedEntity, ExportedObservation } from '../exports.repo.ts'
import type { GraphSource, Pages } from '../graph-source.ts'

/*
 * JSON-LD 1.1 (https://www.w3.org/TR/json-ld11/): names, aliases, texts and times in the terms of schema.org, the rest in
 * a vocabulary of our own. A relation is a node of its own, since it has a time.
 */

const schema = 'https://schema.org/'
const vocabulary = 'urn:loci:vocabulary:'
const moment = { '@type': `${schema}DateTime` }
const context = {
  '@version': 1.1,
  '@vocab': vocabulary,
  name: `${schema}name`,
  aliases: { '@id': `${schema}alternateName`, '@container': '@set' },
  text: `${schema}text`,
  createdAt: { '@id': `${schema}dateCreated`, ...moment },
  updatedAt: { '@id': `${schema}dateModified`, ...moment },
  exportedAt: { '@id': `${schema}datePublished`, ...moment },
  metadata: { '@id': `${vocabulary}metadata`, '@type': '@json' },
  observations: { '@id': `${vocabulary}observation`, '@container': '@list' },
  from: { '@id': `${vocabulary}from`, '@type': '@id' },
  to: { '@id': `${vocabulary}to`, '@type': '@id' },
}

type Prefix = 'ent' | 'obs' | 'rel'
const iri = (prefix: Prefix, id: number) => `urn:loci:${toId(prefix, id)}`

export async function* writeJsonLd(source: GraphSource): AsyncGenerator<string, void> {
  const about = { '@id': 'urn:loci:export', '@type': 'Export', exportedAt: toIso(source.at) }
  yield `{"@context":${JSON.stringify(context)},\n"@graph":[\n${JSON.stringify(about)}`
  for await (const [entity, pages] of source.entities()) yield* nodeOf(entity, pages)
  for await (const { id, fromId, toId: target, type, createdAt } of source.relations()) {
    const ends = { from: iri('ent', fromId), to: iri('ent', target) }
    const relation = { '@id': iri('rel', id), '@type': 'Relation', ...ends, relationType: type }
    yield `,\n${JSON.stringify({ ...relation, createdAt: toIso(createdAt) })}`
  }
  yield '\n]}\n'
}

async function* nodeOf(entity: ExportedEntity, pages: Pages): AsyncGenerator<string, void> {
  const { id, name, type, aliases, metadata, createdAt, updatedAt } = entity
  const node = {
    ...{ '@id': iri('ent', id), '@type': 'Entity', name, entityType: type },
    ...(aliases === null ? {} : { aliases: JSON.parse(aliases) }),
    ...(metadata === '{}' ? {} : { metadata: JSON.parse(metadata) }),
    ...{ createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) },
  }
  yield `,\n${JSON.stringify(node).slice(0, -1)},"observations":[`
  let separator = ''
  for await (const page of pages) {
    if (page.length > 0) yield separator + page.map((row) => JSON.stringify(observationOf(row))).join(',')
    separator = ','
  }
  yield ']}'
}

const observationOf = ({ id, content, metadata, createdAt, updatedAt }: ExportedObservation) => ({
  ...{ '@id': iri('obs', id), '@type': 'Observation', text: content },
  ...(metadata === null ? {} : { metadata: JSON.parse(metadata) }),
  createdAt: toIso(createdAt),
  ...(updatedAt === null ? {} : { updatedAt: toIso(updatedAt) }),
})
