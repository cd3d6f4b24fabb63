import type { DatabaseSync } from 'node:sqlite'
import { nameOfFolder } from '../../../../../plugins/claude-code/hooks/project.mjs'
import type { JsonRecord } from './json-record.ts'

/** A call whose result has not come yet. */
export type PendingCall = {
  id: string
  at: string
  name: string
  input: string
  files: string[]
  ok?: boolean
  exitCode?: number
}

/** What was said or done once, as the agent's file has it; see the contract's turns. */
export type ReadTurn = {
  externalId: string
  at: string
  role: 'person' | 'agent' | 'tool'
  text: string
  tool?: { name: string; input?: string; ok?: boolean; exitCode?: number }
  files?: string[]
}

export type ReadProject = { name: string; path?: string; branch?: string; repository?: string }

/** What is known of the conversation so far; `externalId` is empty until the file has told it. */
export type ReadConversation = {
  externalId: string
  title?: string
  startedAt?: string
  project?: ReadProject
}

/** What a reader must remember between two lines. Plain data, so that a follower can store it beside its place. */
export type ReaderState = {
  conversation: ReadConversation
  pending: Record<string, PendingCall>
  /** How often each kind of record came that the reader does not know. */
  unknown: Record<string, number>
  /** The file holds what one agent asked of another: its orders are nobody's words. */
  isOfSubagent?: boolean
}

/** Where a follower of a database stopped: a time or the number of a row, and an id where times are equal. */
export type PartPlace = { after: number; id: string }

export type PartRecord = JsonRecord & { place: PartPlace }

export type Reader = {
  agent: string
  /** For an agent that keeps conversations in a database: what was written in it after a place. */
  records?: (database: DatabaseSync, from: PartPlace) => Generator<PartRecord>
  /** The turns that a record completes. Updates the state; never throws, whatever the record holds. */
  read: (state: ReaderState, record: JsonRecord) => ReadTurn[]
}

export function newReaderState(): ReaderState {
  return { conversation: { externalId: '' }, pending: {}, unknown: {} }
}

const unknownKindsMax = 100

/** Counts a record that the reader does not know, by its kind. */
export function countUnknown({ unknown }: ReaderState, kind: string): void {
  const name = kind === '' || kind in Object.prototype ? '(no type)' : kind.slice(0, 80)
  if (name in unknown || Object.keys(unknown).length < unknownKindsMax)
    unknown[name] = (unknown[name] ?? 0) + 1
}

/** Sets what the file tells of its conversation where nothing is known yet. */
export function learn(
  { conversation }: ReaderState,
  told: { externalId?: string; at?: string; path?: string; branch?: string },
): void {
  conversation.externalId ||= told.externalId ?? ''
  if (told.at && !conversation.startedAt) conversation.startedAt = told.at
  if (told.path && !conversation.project)
    conversation.project = { name: nameOfFolder(told.path), path: told.path }
  if (told.branch && conversation.project) conversation.project.branch ??= told.branch
}

/**
 * Text that an agent's program wrote into a person's message: a whole element, such as `<environment_context>`. People
 * write elements too, whose names are one word.
 */
const inserted = /^\s*<(?<tag>[a-z]+[:_-][a-z:_-]*|skill)(?:\s[^>]*)?>[\s\S]*<\/\k<tag>>\s*$/
/** One of several, such as `<bash-stdout>` and `<bash-stderr>`. */
const oneInserted = /\s*<(?<tag>[a-z]+[_-][a-z_-]+)(?:\s[^>]*)?>[\s\S]*?<\/\k<tag>>\s*/y
/** Within a line a person speaks of it. */
const besideWords = /(?<!.)[ \t]*<(?<tag>system-reminder|hook_context)>[\s\S]*?(?:<\/\k<tag>>|$)/g
const isClosed = (element: string) => /<\/(?:system-reminder|hook_context)>$/.test(element)
/** The part of a message behind which Gemini CLI and Qwen Code put files that it names. */
const filesFollow = '--- Content from referenced files ---'

/** What the person wrote of a message, without what the agent's program inserted. */
export function saidByPerson(text: string): string {
  const own = text.replace(besideWords, (element) => (isClosed(element) ? '' : element))
  return inserted.test(own) || areInserted(own) ? '' : own.trim()
}

/** The same of a message in parts. */
export function saidInParts(parts: readonly string[]): string {
  const files = parts.findIndex((part) => part.trim() === filesFollow)
  const own = files === -1 ? parts : parts.slice(0, files)
  return joined(own.map(saidByPerson))
}

/** The parts of a message as one text. */
export const joined = (parts: readonly string[]): string =>
  parts
    .filter((part) => part !== '')
    .join('\n')
    .trim()

function areInserted(text: string): boolean {
  oneInserted.lastIndex = 0
  let end = 0
  while (end < text.length && oneInserted.test(text)) end = oneInserted.lastIndex
  return end === text.length
}
