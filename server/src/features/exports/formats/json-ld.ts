import type { Entity } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import { toIso } from '../../../ground/lib/time.ts'
import type { GraphSource, Pages } from '../graph-source.ts'

/*
 * JSON-LD 1.1 (https://www.w3.org/TR/json-ld11/): names, aliases, texts and times in the terms of schema.org, the rest in
 * a vocabulary of our own. A relation is a node of its own, since it has a time. Where an observation is from and what it
 * replaced is in terms of PROV-O (https://www.w3.org/TR/prov-o/).
 */

const schema = 'https://schema.org/'
const prov = 'http://www.w3.org/ns/prov#'
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
  at: `${schema}validFrom`,
  until: `${schema}validThrough`,
  expiresAt: { '@id': `${schema}expires`, ...moment },
  replaces: { '@id': `${prov}wasRevisionOf`, '@type': '@id', '@container': '@set' },
  replacedBy: { '@id': `${vocabulary}replacedBy`, '@type': '@id' },
  source: `${prov}hadPrimarySource`,
  files: { '@id': `${prov}wasDerivedFrom`, '@container': '@set' },
  title: `${schema}name`,
  url: { '@id': `${schema}url`, '@type': '@id' },
  quote: `${prov}value`,
  metadata: { '@id': `${vocabulary}metadata`, '@type': '@json' },
  observations: { '@id': `${vocabulary}observation`, '@container': '@list' },
  from: { '@id': `${vocabulary}from`, '@type': '@id' },
  to: { '@id': `${vocabulary}to`, '@type': '@id' },
}

const iri = (id: string) => `urn:loci:${id}`

export async function* writeJsonLd(source: GraphSource): AsyncGenerator<string, void> {
  const about = { '@id': 'urn:loci:export', '@type': 'Export', exportedAt: toIso(source.at) }
  yield `{"@context":${JSON.stringify(context)},\n"@graph":[\n${JSON.stringify(about)}`
  for await (const [entity, pages] of source.entities()) yield* nodeOf(entity, pages)
  for await (const { id, fromEntityId, toEntityId, relationType, createdAt } of source.relations()) {
    const ends = { from: iri(fromEntityId), to: iri(toEntityId) }
    yield `,\n${JSON.stringify({ '@id': iri(id), '@type': 'Relation', ...ends, relationType, createdAt })}`
  }
  yield '\n]}\n'
}

async function* nodeOf(entity: Entity, pages: Pages): AsyncGenerator<string, void> {
  const { id, name, type, metadata, observationsCount: _, ...others } = entity
  const node = {
    ...{ '@id': iri(id), '@type': 'Entity', name, entityType: type },
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...others,
  }
  yield `,\n${JSON.stringify(node).slice(0, -1)},"observations":[`
  let separator = ''
  for await (const page of pages) {
    if (page.length > 0) yield separator + page.map((row) => JSON.stringify(observationOf(row))).join(',')
    separator = ','
  }
  yield ']}'
}

const observationOf = ({ id, content, replaces, replacedBy, source, files, ...others }: Observation) => ({
  ...{ '@id': iri(id), '@type': 'Observation', text: content },
  ...others,
  ...(replaces && { replaces: replaces.map(iri) }),
  ...(replacedBy && { replacedBy: iri(replacedBy) }),
  ...(source && { source: { '@type': `${prov}Entity`, ...source } }),
  ...(files && { files: files.map((file) => ({ '@type': `${prov}Entity`, ...file })) }),
})
