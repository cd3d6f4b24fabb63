import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isoTime, type JsonRecord, objectOf, objectsOf, parseRecord, stringOf } from './json-record.ts'
import type { PartPlace, PartRecord } from './reader.ts'

/*
 * `state.vscdb` of Cursor keeps JSON by key in `cursorDiskKV`: `composerData:CONVERSATION` with the order of its bubbles,
 * and `bubbleId:CONVERSATION:BUBBLE`. A value that is written again gets a new row, so row ids tell what has changed.
 */

/** One that says it is being written, and was not for as long, was interrupted. */
const writtenMs = 10 * 60 * 1000
const bubbleKey = /^bubbleId:([^:]+):(.+)$/
const composerKey = /^composerData:(.+)$/

type Bubble = { bubble: JsonRecord; row: number; isLast: boolean }
/** The changed bubbles of a conversation, by id. */
type Changed = Map<string, Map<string, number>>

/**
 * Bubbles that were written after a place, each conversation in its order, those that changed last first. One that is
 * still being written comes when it has ended. The last record has no bubble, only the place after all of them. The `id`
 * of a place is the last row of what older versions wrote (`cursorItems`).
 */
export function* cursorRecords(
  database: DatabaseSync,
  from: PartPlace,
  now = Date.now(),
): Generator<PartRecord> {
  const after = yield* newerRecords(database, from, now)
  const older = cursorItems(database, Number(from.id))
  for (const record of older.bubbles) yield { ...record, place: from }
  yield { place: { after, id: older.row === 0 ? '' : String(older.row) } }
}

/** Returns the row up to which everything was told. */
function* newerRecords(database: DatabaseSync, from: PartPlace, now: number): Generator<PartRecord, number> {
  const last = lastRowOf(database)
  if (last === undefined) return 0
  // The file was rewritten, which numbers its rows anew; what was read before is known by its ids.
  const after = last < from.after ? 0 : from.after
  let end = last
  for (const [id, rows] of listChanged(database, after)) {
    const composer = readValue(database, `composerData:${id}`)
    for (const { bubble, row, isLast } of bubblesOf(database, { id, composer, rows })) {
      if (isBeingWritten(composer, bubble, { isLast, now })) end = Math.min(end, row - 1)
      else yield { composer: { ...shortOf(composer), composerId: id }, bubble, place: from }
    }
  }
  return end
}

/** Undefined if it has no conversations of newer versions. */
function lastRowOf(database: DatabaseSync): number | undefined {
  const table = database.prepare("select 1 from sqlite_schema where name = 'cursorDiskKV'").get()
  if (table === undefined) return undefined
  return Number(database.prepare('select max(rowid) as last from cursorDiskKV').get()?.last ?? 0)
}

function listChanged(database: DatabaseSync, after: number): [string, Map<string, number>][] {
  const changed: Changed = new Map()
  const of = (id: string) => {
    const rows = changed.get(id) ?? new Map<string, number>()
    // Moves it to the end.
    changed.delete(id)
    changed.set(id, rows)
    return rows
  }
  const rows = database.prepare('select rowid, key from cursorDiskKV where rowid > ? order by rowid')
  for (const { rowid, key } of rows.iterate(after)) {
    const [, composer, bubble] = bubbleKey.exec(stringOf(key)) ?? []
    if (composer !== undefined && bubble !== undefined) of(composer).set(bubble, Number(rowid))
    const [, only] = composerKey.exec(stringOf(key)) ?? []
    if (only !== undefined) of(only)
  }
  return [...changed].reverse()
}

function* bubblesOf(
  database: DatabaseSync,
  { id, composer, rows }: { id: string; composer: JsonRecord; rows: Map<string, number> },
): Generator<Bubble> {
  // Older versions keep the bubbles within the conversation.
  const inside = objectsOf(composer.conversation)
  for (const [i, bubble] of inside.entries())
    yield { bubble, row: Number.POSITIVE_INFINITY, isLast: i === inside.length - 1 }
  const order = objectsOf(composer.fullConversationHeadersOnly).map(({ bubbleId }) => stringOf(bubbleId))
  const places = new Map(order.map((bubbleId, place) => [bubbleId, place]))
  const placeOf = (bubbleId: string) => places.get(bubbleId) ?? Number.POSITIVE_INFINITY
  const inOrder = [...rows].sort(([a, rowOfA], [b, rowOfB]) => placeOf(a) - placeOf(b) || rowOfA - rowOfB)
  for (const [bubbleId, row] of inOrder) {
    const bubble = { ...readValue(database, `bubbleId:${id}:${bubbleId}`), bubbleId }
    yield { bubble, row, isLast: bubbleId === (order.at(-1) ?? bubbleId) }
  }
}

const unfinished = /^(?:loading|running|pending|streaming)$/

function isBeingWritten(
  { status, lastUpdatedAt, createdAt }: JsonRecord,
  { type, toolFormerData }: JsonRecord,
  { isLast, now }: { isLast: boolean; now: number },
): boolean {
  const call = stringOf(objectOf(toolFormerData).status)
  const isOpen = unfinished.test(call) || (isLast && type === 2 && status === 'generating')
  return isOpen && now - Date.parse(isoTime(lastUpdatedAt ?? createdAt)) < writtenMs
}

function readValue(database: DatabaseSync, key: string): JsonRecord {
  const value = database.prepare('select value from cursorDiskKV where key = ?').get(key)?.value
  const text = value instanceof Uint8Array ? Buffer.from(value).toString() : stringOf(value)
  return parseRecord(text) ?? {}
}

const shortOf = ({ name, createdAt, workspaceIdentifier }: JsonRecord): JsonRecord => ({
  ...{ name, createdAt, workspaceIdentifier },
})

/*
 * What Cursor kept until early 2025, in `workspaceStorage/HASH/state.vscdb` of each folder that was opened. Not documented
 * and not seen: it follows public readers of these files (cursor-chat-export, cursor-chat-browser, chatrxiv). Two values
 * of `ItemTable` hold all of it, and are written anew with each message:
 *
 * - `workbench.panel.aichat.view.aichat.chatdata`: `{tabs: [{tabId, chatTitle, lastSendTime, bubbles: [{type: 'user' | 'ai',
 *   id, text}]}]}`
 * - `composer.composerData`: `{allComposers: [{composerId, name, createdAt, conversation: [{type: 1 | 2, bubbleId, text}]}]}`;
 *   newer versions leave out `conversation`, and keep it elsewhere under the same ids.
 *
 * `workspace.json` beside the file names the folder.
 */

const chats = 'workbench.panel.aichat.view.aichat.chatdata'
const composers = 'composer.composerData'

type CursorItems = { row: number; bubbles: { composer: JsonRecord; bubble: JsonRecord }[] }

/** All messages of these values in the form of newer ones, if one was written after a row; and the last row of both. */
function cursorItems(database: DatabaseSync, after: number): CursorItems {
  const table = database.prepare("select 1 from sqlite_schema where name = 'ItemTable'").get()
  if (table === undefined) return { row: after, bubbles: [] }
  const rows = database
    .prepare('select rowid, key, value from ItemTable where key in (?, ?) order by rowid')
    .all(chats, composers)
  const row = Number(rows.at(-1)?.rowid ?? after)
  if (row === after) return { row, bubbles: [] }
  const workspaceUris = [folderOf(database)]
  const bubbles = rows.flatMap(({ key, value }) => (key === chats ? tabsOf : composersOf)(recordOf(value)))
  return {
    row,
    bubbles: bubbles.map(({ composer, bubble }) => ({ composer, bubble: { workspaceUris, ...bubble } })),
  }
}

function tabsOf({ tabs }: JsonRecord): CursorItems['bubbles'] {
  return objectsOf(tabs).flatMap(({ tabId, chatTitle, lastSendTime, bubbles }) => {
    const composer = { composerId: tabId, name: chatTitle, createdAt: lastSendTime }
    return objectsOf(bubbles).map(({ id, type, text }, i) => ({
      composer,
      bubble: { bubbleId: stringOf(id) || `${stringOf(tabId)}:${i}`, type: numberOf(type), text },
    }))
  })
}

const composersOf = ({ allComposers }: JsonRecord): CursorItems['bubbles'] =>
  objectsOf(allComposers).flatMap(({ composerId, name, createdAt, conversation }) =>
    objectsOf(conversation).map((bubble) => ({ composer: { composerId, name, createdAt }, bubble })),
  )

/** As newer versions number them. */
const numberOf = (type: unknown) => (type === 'user' ? 1 : type === 'ai' ? 2 : type)

function recordOf(value: unknown): JsonRecord {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString() : stringOf(value)
  return parseRecord(text) ?? {}
}

/** The address of the folder that these conversations are about; empty if nothing says so. */
function folderOf(database: DatabaseSync): string {
  const file = database.location()
  if (file === null) return ''
  try {
    return stringOf(parseRecord(readFileSync(join(dirname(file), 'workspace.json'), 'utf8'))?.folder)
  } catch {
    return ''
  }
}
