import { posix } from 'node:path'
import { readTextFile } from '../sources/read-json.ts'
import { isNote, type SourceFile } from '../sources/source.ts'
import type { Format, Part } from './format.ts'
import { entityLines, nameOf, relationLine } from './lines.ts'
import { type Note, type NoteLink, parseNote } from './markdown.rules.ts'
import { parseOwnNote } from './own-note.rules.ts'

/*
 * Markdown notes, such as a vault of Obsidian (help.obsidian.md: internal links, properties, aliases, tags, daily notes)
 * with the inline fields of its plugin Dataview. A note is an entity, its paragraphs and list items are observations, its
 * links relations. Its type is the `type` of its properties, else the outermost folder that it is in. A text file holds
 * an observation a line. A note of our own export (`own-note.rules.ts`) comes back as it was.
 */

const noteBytesMax = 32 * 1024 ** 2
const dailyNote = /^\d{4}-\d{2}-\d{2}$/

export const notes: Format = {
  format: 'markdown',
  recognise(shape, path) {
    if (shape.kind === 'text') return isNote(path) ? 'note' : /\.txt$/i.test(path) ? 'text' : undefined
    return isNote(path) ? 'note' : undefined
  },
  async *read(parts) {
    const names = await findNames(parts)
    for (const part of parts) yield* noteLines(part, names)
  },
}

async function readNote({ file, part }: Part): Promise<Note> {
  if (file.bytes > noteBytesMax) return { ...parseNote(''), problem: 'The note is larger than 32 MiB' }
  const text = await readTextFile(file, noteBytesMax)
  if (part === 'note') return parseOwnNote(text) ?? parseNote(text)
  return {
    ...parseNote(''),
    blocks: text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  }
}

const plainOf = (path: string) => path.replace(/\.(?:md|markdown|txt)$/i, '')

/** Names by which links refer to a note: its title, file name, path or an alias, ignoring case. */
type Names = { title: Map<string, string>; byLink: Map<string, string> }

/** Gives each note a unique name: its title, or its path if two notes share a title. */
async function findNames(parts: readonly Part[]): Promise<Names> {
  const names: Names = { title: new Map(), byLink: new Map() }
  const taken = new Set<string>()
  const aliases: [string, string][] = []
  for (const part of parts) {
    const plain = plainOf(part.file.path)
    const note = await readNote(part)
    const title = (dayOf(part.file) === undefined ? note.title : undefined) ?? posix.basename(plain)
    const name = nameOf(taken.has(nameOf(title)) ? plain : title)
    taken.add(name)
    names.title.set(part.file.path, name)
    for (const link of [plain, posix.basename(plain), title, ...numberOf(plain)]) addLink(names, link, name)
    aliases.push(...note.aliases.map((alias): [string, string] => [alias, name]))
  }
  for (const [alias, name] of aliases) addLink(names, alias, name)
  return names
}

/** `0007-use-kamal` is record 7, written "ADR-0007", "ADR 7" or "0007". */
function numberOf(text: string): string[] {
  const [, number] = /^(?:adr)?[-_ #]*0*(\d+)(?=[-_. ]|$)/i.exec(posix.basename(text)) ?? []
  return number === undefined ? [] : [`record ${number}`]
}

function addLink({ byLink }: Names, link: string, name: string): void {
  if (!byLink.has(link.toLowerCase())) byLink.set(link.toLowerCase(), name)
}

async function* noteLines(part: Part, names: Names): AsyncGenerator<string, void> {
  const { file } = part
  const note = await readNote(part)
  const name = names.title.get(file.path) ?? file.path
  const createdAt = note.createdAt ?? dayOf(file) ?? file.modifiedAt
  yield* entityLines(
    {
      name,
      aliases: note.aliases.filter((alias) => alias !== name),
      entityType: note.type ?? typeOf(file),
      metadata: note.metadata,
      createdAt,
      updatedAt: note.updatedAt,
      observations: note.observations ?? note.blocks.map((content) => ({ content, createdAt })),
      problems: note.problem === undefined ? [] : [note.problem],
    },
    { file: file.path, line: 1 },
  )
  const seen = new Set<string>()
  for (const { line, relationType, createdAt: at, isReverse, isSuperseding, ...link } of note.links) {
    const other = resolve(file, link, names)
    if (other === undefined || other === name) continue
    const [from, to] = isReverse ? [other, name] : [name, other]
    const relation = JSON.stringify([from, to, relationType])
    if (seen.has(relation)) continue
    seen.add(relation)
    yield relationLine(
      { from, to, relationType, createdAt: at, ...(isSuperseding && { endsFacts: true }) },
      { file: file.path, line },
    )
  }
}

type Link = Pick<NoteLink, 'target' | 'isRelative' | 'isGuess'>

/** The name of the entity that a link leads to; undefined for plain words that are no note. */
function resolve(
  file: SourceFile,
  { target, isRelative, isGuess }: Link,
  { byLink }: Names,
): string | undefined {
  const link = plainOf(isRelative ? posix.join(posix.dirname(file.path), target) : target)
  const found = byLink.get(link.toLowerCase())
  if (found !== undefined || !isGuess) return found ?? link
  return numberOf(link).flatMap((number) => byLink.get(number) ?? [])[0]
}

function dayOf({ path }: SourceFile): string | undefined {
  const name = posix.basename(plainOf(path))
  return dailyNote.test(name) && !Number.isNaN(Date.parse(name)) ? `${name}T00:00:00.000Z` : undefined
}

const knownFolders = new Map(
  Object.entries({
    people: 'person',
    persons: 'person',
    contacts: 'person',
    companies: 'company',
    organizations: 'company',
    organisations: 'company',
    technologies: 'technology',
    products: 'product',
    events: 'event',
    adr: 'decision',
    adrs: 'decision',
    decisions: 'decision',
    concepts: 'concept',
    projects: 'project',
  }),
)

/** `01 Projects/Loci.md` is a project. */
function typeOf(file: SourceFile): string {
  if (dayOf(file) !== undefined) return 'daily note'
  const [folder = '', ...rest] = file.path.split('/')
  if (rest.length === 0) return 'note'
  const name = folder.replace(/^[\d\s._-]+/, '').toLowerCase()
  return knownFolders.get(name) ?? (name || 'note')
}
