import { observationContentMax } from '@loci/contract/observations'
import { MomentInput } from '@loci/contract/text'
import { isMap, parseDocument } from 'yaml'
import { isRecord } from '../../../ground/lib/json.ts'
import { readDates } from '../../../search/analyse/dates.ts'
import type { ObservationToWrite } from './lines.ts'

/** A link of a note: its target as written, and the relation type. */
export type NoteLink = {
  line: number
  target: string
  relationType: string
  /** A path relative to the note's folder, as in Markdown's own links. */
  isRelative: boolean
  /** From the target to the note. */
  isReverse?: boolean
  /** Between decision records: the target holds in place of the note, or the other way round. */
  isSuperseding?: boolean
  /** Named in plain words, so perhaps no note at all. */
  isGuess?: boolean
  /** Only notes of our own export tell it. */
  createdAt?: string | undefined
}

/** The contents of a note. Lines count from 1. */
export type Note = {
  /** From the front matter, else the first heading; undefined means that the file name is the title. */
  title: string | undefined
  type: string | undefined
  aliases: string[]
  metadata: Record<string, unknown>
  createdAt: string | undefined
  updatedAt: string | undefined
  blocks: string[]
  /** Of a note of our own export, in the place of blocks. */
  observations?: ObservationToWrite[]
  links: NoteLink[]
  /** Problems of the front matter, including its date. */
  problem: string | undefined
}

const fence = /^---\s*$/
const heading = /^#{1,6}\s/
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/
const codeFence = /^\s*(`{3,}|~{3,})(.*)$/
/** A line across the page, such as `---` and `* * *`. */
const thematicBreak = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
/** Dataview's inline fields: `key:: value` on its own line, `[key:: value]` and `(key:: value)` within one. */
const fieldLine = /^\s*(?:[-*+]\s+)?(?:\*\*|__)?([\p{L}][\p{L}\p{N} _-]{0,63}?)(?:\*\*|__)?::\s/u
const fieldWithin = /[[(]([\p{L}][\p{L}\p{N} _-]{0,63})::\s*((?:!?\[\[[^[\]]*\]\][,\s]*)+)[\])]/gu
/** A target that contains spaces is in angle brackets. */
const markdownLink =
  /\[[^[\]]*\]\((?:<([^()<>#\n]+\.md)(?:#[^()<>\n]*)?>|([^()<>\s]+\.md)(?:#[^()<>\s]*)?)\)/gi
/** `Date: 2025-03-01` or `**Date:** 1 March 2025`, as decision records have it. */
const dated = /^\s*(?:[-*+]\s+)?[*_]*(?:date|datum|fecha|data|дата)[*_]*\s?:[*_]*\s*(.*\d.*?)\s*$/iu
const superseding =
  /^\s*(?:[-*+]\s+)?[*_]*(?:status[*_]*:?[*_]*\s*)?(super[sc]eded[\s_-]+by|super[sc]edes)\b/i
const tag = /(?:^|\s)#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/gu
export const linkType = 'links_to'
/** In tables, the `|` before the shown text is written `\\|`. */
const wikiLink = /(!?)\[\[([^[\]|#]+?)(?:#[^[\]|]*)?(?:\\?\|[^[\]]*)?\]\]/g
const inlineCode = /(`+)(?:(?!`).|(?!\1)`)*?\1(?!`)/g
/** An embedded picture, sound or PDF; notes can be embedded too, but have at most the extension `.md`. */
const attachment = /\.(?!md$)[a-z0-9]{2,5}$/i

/** Reads a Markdown note: front matter, paragraphs and list items, links, tags. */
export function parseNote(text: string): Note {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const { front, bodyFrom } = splitNote(lines)
  const { rest, ...read } = readFrontMatter(front)
  const body = lines.slice(bodyFrom)
  const prose = proseOf(body)
  const dateLine = prose
    .map((line) => dateOf(dated.exec(headOf(line))?.[1]))
    .find((moment) => moment !== undefined)
  const tags = prose.flatMap((line) =>
    line.includes('#') ? [...line.matchAll(tag)].map(([, name = '']) => name) : [],
  )
  return {
    ...read,
    title: read.title ?? titleIn(body, prose),
    createdAt: read.createdAt ?? dateLine,
    metadata: withTags(rest, tags),
    blocks: blocksOf(body),
    links: [
      ...linksOf(rest),
      ...supersessionsOf(rest),
      ...prose.flatMap((line, index) => linksIn(line, bodyFrom + 1 + index)),
    ],
  }
}

/** As much of a line as can hold what it begins with: expressions with several ends take the square of its length. */
const headOf = (line: string) => line.slice(0, 1_000)

/** A moment, or the day that a text begins with, unless that can be read in two ways. */
function dateOf(text: string | undefined): string | undefined {
  const moment = momentOf(text)
  if (text === undefined || moment !== undefined) return moment
  const [date] = readDates(text)
  const [day, ...others] = date?.start === 0 ? date.readings : []
  if (day?.year === undefined || day.month === undefined || day.day === undefined || others.length > 0)
    return undefined
  return momentOf([day.year, day.month, day.day].map((part) => String(part).padStart(2, '0')).join('-'))
}

/** The lines of the front matter, and the line where the body begins. */
export function splitNote(lines: readonly string[]): { front: string; bodyFrom: number } {
  const end = fence.test(lines[0] ?? '')
    ? lines.findIndex((line, index) => index > 0 && fence.test(line))
    : -1
  return { front: lines.slice(1, Math.max(1, end)).join('\n'), bodyFrom: end + 1 }
}

function readFrontMatter(text: string) {
  const { value, problem } = parseYaml(text)
  const { name, title: titled, type, aliases, alias, ...others } = value
  const title = textOf(name) ?? textOf(titled)
  const rest = textOf(name) !== undefined && titled !== undefined ? { ...others, title: titled } : others
  const createdAt = firstOf(rest, ['createdAt', 'created', 'created_at', 'date created', 'date'])
  const updatedAt = firstOf(rest, ['updatedAt', 'updated', 'updated_at', 'modified', 'date modified'])
  const [created, updated] = [momentOf(createdAt), momentOf(updatedAt)]
  const isNoDate =
    (isGiven(createdAt) && created === undefined) || (isGiven(updatedAt) && updated === undefined)
  return {
    title,
    type: textOf(type),
    aliases: [...new Set([...namesOf(aliases), ...namesOf(alias)])],
    createdAt: created,
    updatedAt: updated,
    rest,
    problem: problem ?? (isNoDate ? 'The date is not a date' : undefined),
  }
}

/** The text of the first heading, if that is of the first level. */
function titleIn(body: readonly string[], prose: readonly string[]): string | undefined {
  const first = body[prose.findIndex((line) => heading.test(line))] ?? ''
  return textOf(/^#\s+(.*?)(?:\s+#+)?\s*$/.exec(headOf(first))?.[1])
}

const firstOf = (value: Record<string, unknown>, names: readonly string[]) =>
  names.map((name) => value[name]).find((moment) => moment !== undefined)

/** A list, or comma-separated text. */
function namesOf(value: unknown): string[] {
  const items = typeof value === 'string' ? value.split(',') : [value].flat()
  return [...new Set(items.flatMap((item) => textOf(item) ?? []))]
}

/** Tags of the front matter and of the text, without their `#`. */
function withTags(metadata: Record<string, unknown>, inText: readonly string[]): Record<string, unknown> {
  if (inText.length === 0) return metadata
  const { tags, ...rest } = metadata
  const given = typeof tags === 'string' ? tags.split(/[,\s]+/) : namesOf(tags)
  const all = [...given, ...inText].map((name) => name.replace(/^#/, '')).filter((name) => name !== '')
  return { ...rest, tags: [...new Set(all)] }
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

/** Values as in JSON, so without YAML's dates, maps and cycles. */
export function parseYaml(text: string): { value: Record<string, unknown>; problem: string | undefined } {
  try {
    // Its own search for equal keys compares each with all others.
    const document = parseDocument(text, { uniqueKeys: false })
    const keys = isMap(document.contents) ? document.contents.items.map(({ key }) => String(key)) : []
    if (document.errors.length > 0 || new Set(keys).size < keys.length) throw new Error()
    const value: unknown = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? {}))
    if (isRecord(value)) return { value: { ...value }, problem: undefined }
    return { value: {}, problem: 'The front matter is not a list of names and values' }
  } catch {
    return { value: {}, problem: 'The front matter is not valid YAML' }
  }
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? undefined : text
}

/** Dates as written in notes: `2024-03-01`, `2024-03-01 09:30`, optionally with seconds and an offset. */
const noteMoment = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:\d{2})?)?$/

function momentOf(value: unknown): string | undefined {
  const [matched, day, minute = '00:00', second = '00', offset = 'Z'] =
    (typeof value === 'string' && noteMoment.exec(value.trim())) || []
  if (matched === undefined) return undefined
  const moment = MomentInput.safeParse(`${day}T${minute}:${second}${offset}`)
  return moment.success ? new Date(moment.data).toISOString() : undefined
}

/**
 * Tells for each line in turn whether it is text, code, or a fence that opens or closes code. Code ends at a fence of
 * the same character, at least as long as the one that opened it.
 */
function createCodeReader(): (line: string) => 'text' | 'open' | 'code' | 'close' {
  let opened = ''
  return (line) => {
    const [, fence = '', info = ''] = codeFence.exec(line) ?? []
    if (opened === '') {
      // Text between backticks on one line is inline code.
      if (fence === '' || (fence.startsWith('`') && info.includes('`'))) return 'text'
      opened = fence
      return 'open'
    }
    if (!fence.startsWith(opened) || info.trim() !== '') return 'code'
    opened = ''
    return 'close'
  }
}

/** Paragraphs, list items and code blocks; headings and thematic breaks only separate them. */
function blocksOf(lines: readonly string[]): string[] {
  const blocks: string[] = []
  let block: string[] = []
  const kindOf = createCodeReader()
  const close = () => {
    const text = block.join('\n').trim()
    if (text !== '') blocks.push(text)
    block = []
  }
  for (const line of lines) {
    const kind = kindOf(line)
    if (kind === 'open') close()
    if (kind !== 'text') block.push(line)
    else if (line.trim() === '' || heading.test(line) || thematicBreak.test(line)) close()
    else if (listItem.test(line)) {
      close()
      block.push(line.replace(listItem, ''))
    } else block.push(line.trim())
    if (kind === 'close') close()
  }
  close()
  return blocks
}

/**
 * The lines without code and those too long to be stored. Code contains no links: `[[` is an array in many languages.
 */
function proseOf(lines: readonly string[]): string[] {
  const kindOf = createCodeReader()
  return lines.map((line) => {
    const isText = kindOf(line) === 'text' && line.length <= observationContentMax
    return isText ? line.replace(inlineCode, '') : ''
  })
}

function linksIn(text: string, line: number): NoteLink[] {
  const [matched, words] = superseding.exec(headOf(text)) ?? []
  if (matched !== undefined) return supersessionsIn(text.slice(matched.length), line, words)
  return linksOfLine(text, line)
}

function linksOfLine(text: string, line: number): NoteLink[] {
  if (!text.includes('[')) return []
  const [, field = linkType] = fieldLine.exec(text) ?? []
  const within: NoteLink[] = []
  const rest = text.replace(fieldWithin, (_, key: string, value: string) => {
    within.push(...wikiLinksIn(value, line, key))
    return ''
  })
  const relative = [...rest.matchAll(markdownLink)]
    .map(([, bracketed, plain = '']) => bracketed ?? plain)
    .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
    .map((target) => ({
      line,
      target: decoded(target),
      relationType: relationTypeOf(field),
      isRelative: true,
    }))
  return [...within, ...wikiLinksIn(rest, line, field), ...relative]
}

/** "Superseded by" and "Supersedes" of decision records: links, else the words as a number or name of a record. */
function supersessionsIn(text: string, line: number, words = ''): NoteLink[] {
  const isReverse = !/by$/i.test(words)
  const linked = linksOfLine(text, line)
  const plain = headOf(text).replace(/^[\s:*_]+|[\s.*_]+$/g, '')
  const guessed = plain === '' ? [] : [{ line, target: plain, isRelative: false, isGuess: true }]
  return (linked.length > 0 ? linked : guessed).map((link) => ({
    ...link,
    relationType: 'superseded_by',
    isSuperseding: true,
    isReverse,
  }))
}

/** The same among the properties: `superseded_by: 0002-use-mysql.md`. */
const supersessionsOf = (metadata: Record<string, unknown>): NoteLink[] =>
  Object.entries(metadata).flatMap(([name, value]) =>
    superseding.test(name)
      ? namesOf(value).flatMap((item) => (item.includes('[[') ? [] : supersessionsIn(item, 1, name)))
      : [],
  )

function wikiLinksIn(text: string, line: number, field: string): NoteLink[] {
  return [...text.matchAll(wikiLink)]
    .map(([, embed, target = '']) => ({ isEmbed: embed === '!', target: target.trim() }))
    .filter(({ isEmbed, target }) => target !== '' && !(isEmbed && attachment.test(target)))
    .map(({ target }) => ({ line, target, relationType: relationTypeOf(field), isRelative: false }))
}

/** `Works with` -> `works_with`. */
const relationTypeOf = (field: string) => field.trim().toLowerCase().replace(/\s+/g, '_').slice(0, 64)

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Links can be in the front matter too; the property names their type: `author: "[[Ada]]"`. */
function linksOf(metadata: Record<string, unknown>): NoteLink[] {
  return Object.entries(metadata).flatMap(([name, value]) =>
    [value]
      .flat(2)
      .filter((item) => typeof item === 'string')
      .flatMap((item) => wikiLinksIn(item, 1, name)),
  )
}
