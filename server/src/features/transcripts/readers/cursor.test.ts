import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { cursor } from './cursor.ts'
import { cursorRecords } from './cursor-records.ts'
import { newReaderState, type PartPlace } from './reader.ts'

/* Databases in the form that public descriptions of Cursor's files give; not written by Cursor. */

const now = Date.parse('2026-11-20T12:00:00Z')
let database: DatabaseSync
beforeEach(() => {
  database = new DatabaseSync(':memory:')
  database.exec('create table cursorDiskKV (key text unique on conflict replace, value blob)')
})

const put = (key: string, value: object) =>
  database.prepare('insert into cursorDiskKV values (?, ?)').run(key, Buffer.from(JSON.stringify(value)))

const composer = (ids: string[], more: object = {}) =>
  put('composerData:c1', {
    ...{
      composerId: 'c1',
      name: 'Night tolls',
      createdAt: now - 60_000,
      lastUpdatedAt: now,
      status: 'completed',
    },
    fullConversationHeadersOnly: ids.map((bubbleId) => ({ bubbleId, type: 1 })),
    workspaceIdentifier: { uri: { fsPath: '/home/ada/toll' } },
    ...more,
  })
const bubble = (id: string, value: object) =>
  put(`bubbleId:c1:${id}`, { bubbleId: id, createdAt: '2026-11-20T11:59:00Z', ...value })
const call = (name: string, args: object, more: object) => ({
  type: 2,
  toolFormerData: { name, rawArgs: JSON.stringify(args), status: 'completed', ...more },
})

const start: PartPlace = { after: 0, id: '' }

function read(from = start) {
  const state = newReaderState()
  const records = [...cursorRecords(database, from, now)]
  const turns = records.flatMap((record) => cursor.read(state, record))
  return {
    state,
    turns,
    texts: turns.map(({ text, tool }) => tool?.input ?? text),
    place: records.at(-1)?.place ?? from,
  }
}

test('reads a conversation in its order, with tools, files and exit codes', () => {
  bubble(
    'b3',
    call(
      'run_terminal_command_v2',
      { command: 'cargo test' },
      { result: '{"output":"1 failed","exitCode":101}' },
    ),
  )
  bubble(
    'b2',
    call(
      'read_file_v2',
      { targetFile: '/home/ada/toll/src/lib.rs' },
      { result: '{"contents":"fn secret()"}' },
    ),
  )
  bubble('b1', { type: 1, text: 'Why is the toll a cent too high?' })
  bubble('b4', { type: 2, text: '', thinking: { text: 'Hm' } })
  bubble('b5', { type: 2, text: 'It rounds twice.' })
  composer(['b1', 'b2', 'b3', 'b4', 'b5'])
  const { turns, state } = read()
  expect(turns).toEqual([
    {
      externalId: 'b1',
      at: '2026-11-20T11:59:00.000Z',
      role: 'person',
      text: 'Why is the toll a cent too high?',
    },
    {
      ...{ externalId: 'b2', at: '2026-11-20T11:59:00.000Z', role: 'tool', text: '', files: ['src/lib.rs'] },
      tool: { name: 'read_file_v2', input: '/home/ada/toll/src/lib.rs', ok: true },
    },
    {
      ...{ externalId: 'b3', at: '2026-11-20T11:59:00.000Z', role: 'tool', text: '1 failed' },
      tool: { name: 'run_terminal_command_v2', input: 'cargo test', ok: false, exitCode: 101 },
    },
    { externalId: 'b5', at: '2026-11-20T11:59:00.000Z', role: 'agent', text: 'It rounds twice.' },
  ])
  expect(state.conversation).toMatchObject({
    ...{ externalId: 'c1', title: 'Night tolls', startedAt: '2026-11-20T11:59:00.000Z' },
    project: { name: 'toll', path: '/home/ada/toll' },
  })
  expect(state.unknown).toEqual({})
})

test('leaves a bubble that is being written until it has ended, unless it was interrupted', () => {
  bubble('b1', { type: 1, text: 'Go on' })
  bubble('b2', { type: 2, text: 'It rou' })
  composer(['b1', 'b2'], { status: 'generating' })
  const first = read()
  expect(first.texts).toEqual(['Go on'])
  bubble('b2', { type: 2, text: 'It rounds twice.' })
  composer(['b1', 'b2'])
  const second = read(first.place)
  expect(second.texts).toEqual(['It rounds twice.'])
  expect(read(second.place).texts).toEqual([])
  bubble('b3', call('run_terminal_command_v2', { command: 'sleep 1' }, { status: 'loading' }))
  composer(['b1', 'b2', 'b3'], { status: 'generating', lastUpdatedAt: now - 3_600_000 })
  expect(read(second.place).texts).toEqual(['sleep 1'])
})

test('reads what a rewritten file holds, and conversations that have their bubbles within', () => {
  bubble('b1', { type: 1, text: 'Hello' })
  composer(['b1'])
  expect(read({ after: 1_000, id: '' }).texts).toEqual(['Hello'])
  put('composerData:c2', {
    ...{ composerId: 'c2', createdAt: now },
    conversation: [
      { bubbleId: 'o1', type: 1, text: 'Old question', workspaceUris: ['file:///home/ada/old%20shop'] },
      { bubbleId: 'o2', type: 2, text: 'Old answer' },
    ],
  })
  const { texts, state } = read()
  expect(texts).toEqual(['Old question', 'Old answer', 'Hello'])
  expect(state.conversation.project).toEqual({ name: 'old shop', path: '/home/ada/old shop' })
})

test('counts bubbles that it does not know, and fails on nothing', () => {
  bubble('b1', { type: 7, text: 'x' })
  put('bubbleId:c1:b2', [])
  put('composerData:c1', [1])
  database
    .prepare("insert into cursorDiskKV values ('bubbleId:c9:b1', null), ('composerData:c8', 'no json')")
    .run()
  expect(read().state.unknown).toEqual({ 'bubble of type 7': 1, 'bubble of type none': 2 })
  database.exec('drop table cursorDiskKV')
  expect(read().texts).toEqual([])
})

test('reads what older versions kept for each folder, and again what was said since', () => {
  database.exec('create table ItemTable (key text unique on conflict replace, value blob)')
  const set = (key: string, value: object) =>
    database.prepare('insert into ItemTable values (?, ?)').run(key, JSON.stringify(value))
  const asked = { type: 'user', id: 't1', text: 'Which port does the shop use?' }
  const tab = (...bubbles: object[]) => ({ tabId: 'tab', chatTitle: 'Ports', lastSendTime: now, bubbles })
  const chats = (...tabs: object[]) => set('workbench.panel.aichat.view.aichat.chatdata', { tabs })
  chats(tab(asked, { type: 'ai', text: '4000' }))
  set('composer.composerData', {
    allComposers: [
      { composerId: 'c1', name: 'Elsewhere', createdAt: now },
      { composerId: 'c2', createdAt: now, conversation: [{ type: 1, bubbleId: 'o1', text: 'Use 5000' }] },
    ],
  })
  const first = read()
  expect(first.turns.map(({ externalId, role, text }) => [externalId, role, text])).toEqual([
    ['t1', 'person', 'Which port does the shop use?'],
    ['tab:1', 'agent', '4000'],
    ['o1', 'person', 'Use 5000'],
  ])
  expect(read(first.place).texts).toEqual([])
  chats(tab(asked), { tabId: 'next', bubbles: [{ type: 'user', id: 'n1', text: 'Thanks' }] })
  expect(read(first.place).texts).toContain('Thanks')
})
