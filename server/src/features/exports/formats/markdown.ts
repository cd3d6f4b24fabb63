import type { Entity } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import type { Relation } from '@loci/contract/relations'
import type { ZipFile } from '../../../ground/lib/zip.ts'
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
  entity: Entity,
  pages: Pages,
): AsyncGenerator<string, void> {
  yield frontMatterOf(entity)
  let isFirst = true
  for await (const page of pages) {
    for (const observation of page) {
      yield `${isFirst ? '\n## Observations\n\n' : ''}${itemOf(observation)}`
      isFirst = false
    }
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
function frontMatterOf({ name, type, aliases, metadata, createdAt, updatedAt }: Entity): string {
  const entries = Object.entries(metadata)
  const isPlain = ([key]: [string, unknown]) =>
    plainKey.test(key) && !yamlWord.test(key) && !ownKeys.has(key.toLowerCase())
  const others = entries.filter((entry) => !isPlain(entry))
  const lines = [
    'loci: 1',
    `title: ${JSON.stringify(name)}`,
    `type: ${JSON.stringify(type)}`,
    ...(aliases === undefined ? [] : [`aliases: ${JSON.stringify(aliases)}`]),
    `created: ${createdAt}`,
    `updated: ${updatedAt}`,
    ...entries.filter(isPlain).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    ...(others.length === 0 ? [] : [`metadata: ${JSON.stringify(Object.fromEntries(others))}`]),
  ]
  return `---\n${lines.join('\n')}\n---\n`
}

/** Lines past the first are indented. A text of several lines has the comment on a line of its own, after code that may end it. */
function itemOf({ id, content, createdAt, updatedAt, ...others }: Observation): string {
  const isLinked = others.replaces !== undefined || others.replacedBy !== undefined
  const carried = isLinked ? { id, ...others } : others
  const lines = content.split('\n')
  const parts = [
    createdAt,
    ...(updatedAt === undefined ? [] : [`updated ${updatedAt}`]),
    ...(Object.keys(carried).length === 0 ? [] : [carriedText(carried)]),
  ]
  const comment = `%% ${parts.join(' ')} %%`
  if (lines.length === 1) return `- ${content} ${comment}\n`
  return `- ${[...lines, comment].join('\n  ')}\n`
}

/** Metadata alone stands as it is; `carries` begins all that a text carries. */
function carriedText({
  metadata,
  ...others
}: Omit<Observation, 'id' | 'content' | 'createdAt'> & { id?: string }): string {
  const isMore = Object.keys(others).length > 0
  const text = isMore ? `carries ${JSON.stringify({ metadata, ...others })}` : JSON.stringify(metadata)
  return text.replaceAll('%', '\\u0025')
}

const plainType = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_ -]*[\p{L}\p{N}_-])?$/u

function fieldOf({ type, toEntityId, toEntity, createdAt }: Relation, names: NoteNames): string {
  const to = toEntity.name
  const link = names({ id: toEntityId, name: to })
  const shown = link === to ? '' : `|${to.replace(/[[\]|\s]+/g, ' ').trim()}`
  const field = plainType.test(type) ? type : JSON.stringify(type)
  return `- ${field}:: [[${link}${shown}]] %% ${createdAt} %%\n`
}
