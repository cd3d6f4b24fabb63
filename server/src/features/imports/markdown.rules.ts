import { observationContentMax } from '@loci/contract/observations'
import { MomentInput } from '@loci/contract/text'
import { parse } from 'yaml'

/** What a note says. Lines are from 1. */
export type Note = {
  /** Of the front matter; undefined means that the file's name is the title. */
  title: string | undefined
  type: string | undefined
  metadata: Record<string, unknown>
  createdAt: string | undefined
  blocks: string[]
  links: { line: number; target: string }[]
  /** What is wrong with the front matter, its date included. */
  problem: string | undefined
}

const fence = /^---\s*$/
const heading = /^#{1,6}\s/
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/
const codeFence = /^\s*(?:```|~~~)/
const wikiLink = /(!?)\[\[([^[\]|#]+)(?:#[^[\]|]*)?(?:\|[^[\]]*)?\]\]/g
const inlineCode = /(`+)(?:(?!`).|(?!\1)`)*?\1(?!`)/g
/** An embed of a picture, a sound, a PDF; notes can be embedded too, and have at most the extension of one. */
const attachment = /\.(?!md$)[a-z0-9]{2,5}$/i

/** Reads a Markdown note: front matter, paragraphs and list items, wiki links. */
export function parseNote(text: string): Note {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const end = fence.test(lines[0] ?? '')
    ? lines.findIndex((line, index) => index > 0 && fence.test(line))
    : -1
  const front = readFrontMatter(lines.slice(1, Math.max(1, end)).join('\n'))
  const body = lines.slice(end + 1)
  return {
    ...front,
    blocks: blocksOf(body).flatMap(splitLong),
    links: [...linksOf(front.metadata), ...linksOfBody(body, end + 2)],
  }
}

function readFrontMatter(text: string) {
  const { value, problem } = parseYaml(text)
  const { title, type, created, date, createdAt = created ?? date, ...metadata } = value
  const moment = momentOf(createdAt)
  return {
    title: textOf(title),
    type: textOf(type),
    createdAt: moment,
    metadata: {
      ...metadata,
      ...(created === undefined ? {} : { created }),
      ...(date === undefined ? {} : { date }),
    },
    problem: problem ?? (isGiven(createdAt) && moment === undefined ? 'The date is not a date' : undefined),
  }
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

/** Values as JSON has them, so without YAML's dates, maps and cycles. */
function parseYaml(text: string): { value: Record<string, unknown>; problem: string | undefined } {
  try {
    const value: unknown = JSON.parse(JSON.stringify(parse(text, { maxAliasCount: 100 }) ?? {}))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { value: { ...value }, problem: undefined }
    }
    return { value: {}, problem: 'The front matter is not a list of names and values' }
  } catch {
    return { value: {}, problem: 'The front matter is not valid YAML' }
  }
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? undefined : text
}

/** Dates as notes have them: `2024-03-01`, `2024-03-01 09:30`, with seconds and an offset or without. */
const noteMoment = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:\d{2})?)?$/

function momentOf(value: unknown): string | undefined {
  const [matched, day, minute = '00:00', second = '00', offset = 'Z'] =
    (typeof value === 'string' && noteMoment.exec(value.trim())) || []
  const moment = MomentInput.safeParse(`${day}T${minute}:${second}${offset}`)
  return matched !== undefined && moment.success ? new Date(moment.data).toISOString() : undefined
}

/** Paragraphs, list items and code blocks; headings only divide. */
function blocksOf(lines: readonly string[]): string[] {
  const blocks: string[] = []
  let block: string[] = []
  let isCode = false
  const close = () => {
    const text = block.join('\n').trim()
    if (text !== '') blocks.push(text)
    block = []
  }
  for (const line of lines) {
    const isFence = codeFence.test(line)
    if (isFence && !isCode) close()
    if (isCode || isFence) block.push(line)
    else if (line.trim() === '' || heading.test(line)) close()
    else if (listItem.test(line)) {
      close()
      block.push(line.replace(listItem, ''))
    } else block.push(line.trim())
    if (isFence) {
      isCode = !isCode
      if (!isCode) close()
    }
  }
  close()
  return blocks
}

function splitLong(text: string): string[] {
  const parts: string[] = []
  for (let rest = text; rest !== ''; ) {
    const part = rest.slice(0, observationContentMax).toWellFormed()
    parts.push(part)
    rest = rest.slice(part.length)
  }
  return parts
}

/** Code has no links: `[[` is an array in many languages. */
function linksOfBody(lines: readonly string[], firstLine: number): Note['links'] {
  let isCode = false
  return lines.flatMap((line, index) => {
    const isFence = codeFence.test(line)
    if (isFence) isCode = !isCode
    return isCode || isFence ? [] : linksIn(line.replace(inlineCode, ''), firstLine + index)
  })
}

function linksIn(text: string, line: number): Note['links'] {
  return [...text.matchAll(wikiLink)]
    .map(([, embed, target = '']) => ({ isEmbed: embed === '!', target: target.trim() }))
    .filter(({ isEmbed, target }) => !(isEmbed && attachment.test(target)))
    .map(({ target }) => ({ line, target }))
}

/** Links may stand in the front matter too: `related: "[[Other note]]"`. */
function linksOf(metadata: Record<string, unknown>): Note['links'] {
  return linksIn(
    Object.values(metadata)
      .flat(2)
      .filter((value) => typeof value === 'string')
      .join(' '),
    1,
  )
}
