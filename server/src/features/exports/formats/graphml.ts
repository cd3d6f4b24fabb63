import { toId } from '../../../lib/ids.ts'
import { toIso } from '../../../lib/time.ts'
import type { ExportedEntity } from '../exports.repo.ts'
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
  for await (const { id, fromId, toId: target, type, createdAt } of source.relations()) {
    const ends = `source="${toId('ent', fromId)}" target="${toId('ent', target)}"`
    yield `    <edge id="${toId('rel', id)}" ${ends}>${data('relationType', type)}${data('relatedAt', toIso(createdAt))}</edge>\n`
  }
  yield '  </graph>\n</graphml>\n'
}

/** Observations stand in one value, a blank line apart. */
async function* nodeOf(entity: ExportedEntity, pages: Pages): AsyncGenerator<string, void> {
  const { id, name, type, aliases, metadata, createdAt, updatedAt } = entity
  yield `    <node id="${toId('ent', id)}">${data('name', name)}${data('type', type)}`
  if (aliases !== null) yield data('aliases', (JSON.parse(aliases) as string[]).join(', '))
  if (metadata !== '{}') yield data('metadata', metadata)
  let isFirst = true
  for await (const page of pages) {
    for (const { content } of page) {
      yield (isFirst ? '<data key="observations">' : '\n\n') + toXml(content)
      isFirst = false
    }
  }
  if (!isFirst) yield '</data>'
  yield `${data('createdAt', toIso(createdAt))}${data('updatedAt', toIso(updatedAt))}</node>\n`
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
