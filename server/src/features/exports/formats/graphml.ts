import type { Entity } from '@loci/contract/entities'
import type { GraphSource, Pages } from '../graph-source.ts'

/*
 * GraphML (http://graphml.graphdrawing.org/specification.html), as Gephi, yEd, Cytoscape and NetworkX read it.
 */

const header = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
`
/** Gephi shows `label` as the name of nodes and edges. */
const keys = [
  ['name', 'node', 'label'],
  ['type', 'node', 'type'],
  ['aliases', 'node', 'aliases'],
  ['metadata', 'node', 'metadata'],
  ['observations', 'node', 'observations'],
  ['createdAt', 'node', 'createdAt'],
  ['updatedAt', 'node', 'updatedAt'],
  ['relationType', 'edge', 'label'],
  ['relatedAt', 'edge', 'createdAt'],
] as const
type Key = (typeof keys)[number][0]

export async function* writeGraphml(source: GraphSource): AsyncGenerator<string, void> {
  yield header
  for (const [id, of, name] of keys) {
    yield `  <key id="${id}" for="${of}" attr.name="${name}" attr.type="string"/>\n`
  }
  yield '  <graph id="memory" edgedefault="directed">\n'
  for await (const [entity, pages] of source.entities()) yield* nodeOf(entity, pages)
  for await (const { id, fromEntityId, toEntityId, type, createdAt } of source.relations()) {
    const ends = `source="${fromEntityId}" target="${toEntityId}"`
    yield `    <edge id="${id}" ${ends}>${data('relationType', type)}${data('relatedAt', createdAt)}</edge>\n`
  }
  yield '  </graph>\n</graphml>\n'
}

/** Observations stand in one value, a blank line apart. */
async function* nodeOf(entity: Entity, pages: Pages): AsyncGenerator<string, void> {
  const { id, name, type, aliases, metadata, createdAt, updatedAt } = entity
  yield `    <node id="${id}">${data('name', name)}${data('type', type)}`
  if (aliases !== undefined) yield data('aliases', aliases.join(', '))
  if (Object.keys(metadata).length > 0) yield data('metadata', JSON.stringify(metadata))
  let isFirst = true
  for await (const page of pages) {
    for (const { content } of page) {
      yield (isFirst ? '<data key="observations">' : '\n\n') + toXml(content)
      isFirst = false
    }
  }
  if (!isFirst) yield '</data>'
  yield `${data('createdAt', createdAt)}${data('updatedAt', updatedAt)}</node>\n`
}

const data = (key: Key, text: string) => `<data key="${key}">${toXml(text)}</data>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
/** Characters that XML 1.0 cannot have, in any spelling. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const toXml = (text: string) =>
  text
    .toWellFormed()
    .replace(forbidden, '\ufffd')
    .replace(/[&<>\r]/g, (char) => entities[char]!)
