import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type JsonRecord, objectsOf, parseRecord, stringOf } from './json-record.ts'

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

export type CursorItems = { row: number; bubbles: { composer: JsonRecord; bubble: JsonRecord }[] }

/** All messages of these values in the form of newer ones, if one was written after a row; and the last row of both. */
export function cursorItems(database: DatabaseSync, after: number): CursorItems {
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
