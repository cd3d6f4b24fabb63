import { toIso } from '../../../lib/time.ts'
import type { ZipFile } from '../../../lib/zip.ts'
import type { ExportedEntity, ExportedObservation, ExportedRelation } from '../exports.repo.ts'
import type { GraphSource, Pages } from '../graph-source.ts'
import { folderNameOf, type NoteNames, nameNotes } from './note-names.ts'

/*
 * A vault that Obsidian opens: a note an entity, in a folder of its type. Properties hold what an entity has, observations
 * are items of a list, relations inline fields with links. A comment (`%% ... %%`, which Obsidian does not show) holds the
 * times and metadata of each item. `loci: 1` among the properties marks the form, which the import of notes reads back
 * whole.
 */

export async function* writeMarkdown(source: GraphSource): AsyncGenerator<ZipFile, void> {
  const names = await nameNotes(source)
  for await (const [entity, pages] of source.entities()) {
    yield {
      path: `${folderNameOf(entity.type)}/${names(entity)}.md`,
      content: noteOf(source, names, entity, pages),
    }
  }
}

async function* noteOf(
  source: GraphSource,
  names: NoteNames,
  entity: ExportedEntity,
  pages: Pages,
): AsyncGenerator<string, void> {
  yield frontMatterOf(entity)
  let isFirst = true
  for await (const page of pages) {
    if (page.length > 0) yield `${isFirst ? '\n## Observations\n\n' : ''}${page.map(itemOf).join('')}`
    if (page.length > 0) isFirst = false
  }
  isFirst = true
  for await (const relation of source.relationsFrom(entity.id)) {
    yield `${isFirst ? '\n## Relations\n\n' : ''}${fieldOf(relation, names)}`
    isFirst = false
  }
}

const plainKey = /^[\p{L}][\p{L}\p{N}_-]{0,63}$/u
/** As a key, YAML reads these as values of other kinds. */
const yamlWord = /^(?:null|true|false)$/i
const ownKeys = new Set(['loci', 'title', 'type', 'aliases', 'alias', 'created', 'updated', 'metadata'])

/** JSON is YAML. What could be taken for a property of ours stands below `metadata`. */
function frontMatterOf({ name, type, aliases, metadata, createdAt, updatedAt }: ExportedEntity): string {
  const entries = Object.entries(JSON.parse(metadata) as Record<string, unknown>)
  const isPlain = ([key]: [string, unknown]) =>
    plainKey.test(key) && !yamlWord.test(key) && !ownKeys.has(key.toLowerCase())
  const others = entries.filter((entry) => !isPlain(entry))
  const lines = [
    'loci: 1',
    `title: ${JSON.stringify(name)}`,
    `type: ${JSON.stringify(type)}`,
    ...(aliases === null ? [] : [`aliases: ${aliases}`]),
    `created: ${toIso(createdAt)}`,
    `updated: ${toIso(updatedAt)}`,
    ...entries.filter(isPlain).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    ...(others.length === 0 ? [] : [`metadata: ${JSON.stringify(Object.fromEntries(others))}`]),
  ]
  return `---\n${lines.join('\n')}\n---\n`
}

/** Lines past the first are indented. A text of several lines has the comment on a line of its own, after code that may end it. */
function itemOf({ content, metadata, createdAt, updatedAt }: ExportedObservation): string {
  const lines = content.split('\n')
  const parts = [
    toIso(createdAt),
    ...(updatedAt === null ? [] : [`updated ${toIso(updatedAt)}`]),
    ...(metadata === null ? [] : [metadata.replaceAll('%', '\\u0025')]),
  ]
  const comment = `%% ${parts.join(' ')} %%`
  if (lines.length === 1) return `- ${content} ${comment}\n`
  return `- ${[...lines, comment].join('\n  ')}\n`
}

const plainType = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_ -]*[\p{L}\p{N}_-])?$/u

function fieldOf({ type, toId, to, createdAt }: ExportedRelation, names: NoteNames): string {
  const link = names({ id: toId, name: to })
  const shown = link === to ? '' : `|${to.replace(/[[\]|\s]+/g, ' ').trim()}`
  const field = plainType.test(type) ? type : JSON.stringify(type)
  return `- ${field}:: [[${link}${shown}]] %% ${toIso(createdAt)} %%\n`
}
