import { parseJson } from '../../../ground/lib/json.ts'
import { type ObservationToWrite, recordOf } from './lines.ts'
import { type Note, type NoteLink, parseYaml, splitNote } from './markdown.rules.ts'

/*
 * Notes of our own export (features/exports/formats/markdown.ts), marked by `loci: 1` among their properties. What was
 * added to one by hand, outside its lists, comes as observations too.
 */

const iso = '\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z'
const comment = new RegExp(`^(?:(.*) )?%% (${iso})(?: updated (${iso}))?(?: (carries )?(\\{.*\\}))? %%$`, 's')
const field = new RegExp(
  `^(?:("(?:[^"\\\\]|\\\\.)*")|([^:"]+)):: \\[\\[([^\\]|]+)(?:\\|[^\\]]*)?\\]\\](?: %% (${iso}) %%)?$`,
)

/** Undefined for a note of other making. */
export function parseOwnNote(text: string): Note | undefined {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  // An editor may have changed the ends of all lines; a text may hold one of them.
  const plain = lines[0] === '---\r' ? lines.map((line) => line.replace(/\r$/, '')) : lines
  const { front, bodyFrom } = splitNote(plain)
  const { value, problem } = parseYaml(front)
  const { loci, title, type, aliases, created, updated, metadata, ...rest } = value
  if (loci !== 1 || typeof title !== 'string') return undefined
  const { observations, links } = readBody(plain.slice(bodyFrom), bodyFrom + 1)
  return {
    title,
    type: typeof type === 'string' ? type : undefined,
    aliases: Array.isArray(aliases) ? aliases.filter((alias) => typeof alias === 'string') : [],
    metadata: { ...rest, ...recordOf(metadata) },
    createdAt: typeof created === 'string' ? created : undefined,
    updatedAt: typeof updated === 'string' ? updated : undefined,
    blocks: [],
    observations,
    links,
    problem,
  }
}

type Item = { line: number; lines: string[]; isListed: boolean }

function readBody(lines: readonly string[], firstLine: number) {
  const observations: ObservationToWrite[] = []
  const links: NoteLink[] = []
  let isRelations = false
  for (const item of itemsOf(lines, firstLine)) {
    // A text can begin like a heading of ours.
    if (!item.isListed && /^## (?:Observations|Relations)$/.test(item.lines[0] ?? '')) {
      isRelations = item.lines[0] === '## Relations'
      continue
    }
    const link = isRelations ? linkOf(item) : undefined
    if (link === undefined) observations.push(observationOf(item.lines))
    else links.push(link)
  }
  return { observations, links }
}

/** Items of lists with their indented lines, headings, and paragraphs that somebody added. */
function itemsOf(lines: readonly string[], firstLine: number): Item[] {
  const items: Item[] = []
  let isList = false
  let blanks = 0
  lines.forEach((line, index) => {
    const isNew = line.startsWith('- ')
    if (line === '') blanks += 1
    else if (!isNew && isList && line.startsWith('  ')) {
      // Editors take away the spaces of a line that has nothing else.
      items.at(-1)!.lines.push(...Array<string>(blanks).fill(''), line.slice(2))
      blanks = 0
    } else if (!isNew && !isList && blanks === 0 && items.length > 0 && !line.startsWith('## ')) {
      items.at(-1)!.lines.push(line)
    } else {
      isList = isNew
      blanks = 0
      items.push({ line: firstLine + index, lines: [isNew ? line.slice(2) : line], isListed: isNew })
      if (line.startsWith('## ')) isList = true
    }
  })
  return items
}

/** The comment ends a text of one line, and is the last line of a longer one. */
function observationOf(lines: readonly string[]): ObservationToWrite {
  const last = lines.at(-1) ?? ''
  const [whole, text, createdAt, updatedAt, carries, json] = comment.exec(last) ?? []
  if (whole === undefined || (lines.length > 1 && text !== undefined)) return { content: lines.join('\n') }
  const content = lines.length > 1 ? lines.slice(0, -1).join('\n') : (text ?? '')
  const value = json === undefined ? undefined : (parseJson(json) as Record<string, unknown> | undefined)
  const carried = carries === undefined ? { metadata: value } : recordOf(value)
  return { ...carried, content, createdAt, updatedAt }
}

function linkOf({ line, lines }: Item): NoteLink | undefined {
  const [whole, quoted, plain = '', target = '', createdAt] = field.exec(lines.join('\n')) ?? []
  if (whole === undefined) return undefined
  const relationType = quoted === undefined ? plain.trim() : parseJson(quoted)
  if (typeof relationType !== 'string') return undefined
  return { line, target, relationType, isRelative: false, createdAt }
}
