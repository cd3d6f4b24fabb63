import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followTranscript } from './follow-transcript.ts'
import { placesIn, type TranscriptPlaces } from './transcript-places.ts'
import { recogniseTranscripts, transcriptLister, transcriptSources } from './transcript-sources.ts'
import type { TurnBatch, TurnSink } from './turn-batches.ts'

let folder: string
let path: string
let places: TranscriptPlaces
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loci-follow-'))
  path = join(folder, 'session.jsonl')
  places = placesIn(join(folder, 'places'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A store of turns that behaves as the contract says: the same turn twice is stored once. */
function newStore() {
  const texts = new Map<string, string>()
  const batches: TurnBatch[] = []
  const sink: TurnSink = async (batch) => {
    const { conversation, turns } = batch
    batches.push(batch)
    let stored = 0
    for (const { externalId, text } of turns) {
      const key = `${conversation.externalId}/${externalId}`
      if (!texts.has(key)) stored++
      if (!texts.has(key)) texts.set(key, text)
    }
    return { stored, known: turns.length - stored, redacted: 0 }
  }
  return { sink, said: () => [...texts.values()], batches, calls: () => batches.length }
}

const line = (n: number | string, text = `said ${n}`, more: object = {}) =>
  `${JSON.stringify({ type: 'user', uuid: `u${n}`, sessionId: 's1', timestamp: '2026-11-01T10:00:00Z', cwd: join(folder, 'project'), message: { content: text }, ...more })}\n`

async function follow(sink: TurnSink) {
  const [transcript] = recogniseTranscripts(path)
  return followTranscript(transcript!, { places, sink })
}

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')

test('stores each turn once, as the file grows', async () => {
  const store = newStore()
  writeFileSync(path, line(1) + line(2))
  expect(await follow(store.sink)).toMatchObject({ stored: 2, known: 0 })
  appendFileSync(path, line(3))
  expect(await follow(store.sink)).toMatchObject({ stored: 1, known: 0 })
  expect(await follow(store.sink)).toMatchObject({ stored: 0, known: 0, bytes: 0 })
  expect(store.said()).toEqual(['said 1', 'said 2', 'said 3'])
})

test('keeps nothing of what was said beside the place', async () => {
  const store = newStore()
  const call = {
    type: 'tool_use',
    id: 't1',
    name: 'Bash',
    input: { command: `deploy --token=${'ghp_'}${'a1B2c3D4'.repeat(4)}abcd` },
  }
  const message = { content: [call] }
  const asked = JSON.stringify({ type: 'assistant', uuid: 'a1', sessionId: 's1', cwd: folder, message })
  writeFileSync(path, `${line(1, 'the wombat port')}${asked}\n`)
  await follow(store.sink)
  const kept = readdirSync(join(folder, 'places')).map((name) =>
    readFileSync(join(folder, 'places', name), 'utf8'),
  )
  expect(kept.join()).toContain('deploy')
  expect(kept.join()).not.toMatch(/wombat|ghp_/)
})

test('waits for the end of a line that is being written, and takes a whole one without its break', async () => {
  const store = newStore()
  const half = line(2).slice(0, 60)
  writeFileSync(path, line(1) + half)
  await follow(store.sink)
  expect(store.said()).toEqual(['said 1'])
  appendFileSync(path, line(2).slice(60).trimEnd())
  await follow(store.sink)
  expect(store.said()).toEqual(['said 1', 'said 2'])
  appendFileSync(path, `\n${line(3)}`)
  expect(await follow(store.sink)).toMatchObject({ stored: 1, known: 0 })
})

test.each([
  ['claude-code-2.1.197-tools.jsonl', 9],
  ['codex-0.171.0-subagent.jsonl', 1],
])(
  'a call and its result, or a file and its beginning, may be read at different times: %s',
  async (file, count) => {
    const store = newStore()
    const lines = fixture(file).split('\n')
    const whole = newStore()
    writeFileSync(path, lines.join('\n'))
    await follow(whole.sink)
    rmSync(path)
    rmSync(join(folder, 'places'), { recursive: true })
    for (const text of lines.slice(0, -1)) {
      appendFileSync(path, `${text}\n`)
      await follow(store.sink)
    }
    expect(store.said()).toEqual(whole.said())
    expect(store.said()).toHaveLength(count)
  },
)

test('begins again in a file that was cut or replaced', async () => {
  const store = newStore()
  writeFileSync(path, line(1) + line(2) + line(3))
  await follow(store.sink)
  truncateSync(path, line(1).length)
  appendFileSync(path, line(4))
  expect(await follow(store.sink)).toMatchObject({ stored: 1, known: 1 })
  writeFileSync(join(folder, 'next'), line(5, 'x'.repeat(5000)) + line(6))
  renameSync(join(folder, 'next'), path)
  expect(await follow(store.sink)).toMatchObject({ stored: 2, known: 0 })
  expect(store.said().map((text) => text.slice(0, 6))).toEqual([
    'said 1',
    'said 2',
    'said 3',
    'said 4',
    'xxxxxx',
    'said 6',
  ])
})

test('begins again in a file that was written anew behind its long first line', async () => {
  const store = newStore()
  const first = line(1, 'x'.repeat(5000))
  writeFileSync(path, first + line(2))
  await follow(store.sink)
  writeFileSync(path, first + line(3, 'y'.repeat(500)) + line(4))
  expect(await follow(store.sink)).toMatchObject({ stored: 2, known: 1 })
})

test('sends again what was stored before it could remember so', async () => {
  const store = newStore()
  writeFileSync(path, line(1) + line(2))
  const forgetful: TranscriptPlaces = { ...places, save: () => {} }
  const [transcript] = recogniseTranscripts(path)
  await followTranscript(transcript!, { places: forgetful, sink: store.sink })
  expect(await follow(store.sink)).toMatchObject({ stored: 0, known: 2 })
  for (const broken of ['', '{', '{"of":"x","place":null}', '[]']) {
    rmSync(join(folder, 'places'), { recursive: true, force: true })
    mkdirSync(join(folder, 'places'))
    places.save(path, {})
    const { readdirSync } = await import('node:fs')
    for (const name of readdirSync(join(folder, 'places')))
      writeFileSync(join(folder, 'places', name), broken)
    expect(await follow(store.sink)).toMatchObject({ stored: 0, known: 2 })
  }
})

test('the place stays where it was when nothing can be stored', async () => {
  const store = newStore()
  writeFileSync(path, line(1) + line(2))
  await expect(follow(() => Promise.reject(new Error('offline')))).rejects.toThrow('offline')
  expect(await follow(store.sink)).toMatchObject({ stored: 2 })
})

test('leaves out a line of 40 MB, and goes on behind it', async () => {
  const store = newStore()
  writeFileSync(path, line(1) + line('long', 'y'.repeat(40_000_000)) + line(2))
  const { unknown } = await follow(store.sink)
  expect(store.said()).toEqual(['said 1', 'said 2'])
  expect(unknown).toEqual({ 'long line': 1 })
})

test('sends many turns in calls of bounded size, in order', async () => {
  const store = newStore()
  writeFileSync(path, Array.from({ length: 1200 }, (_, n) => line(n, `${n} ${'z'.repeat(5000)}`)).join(''))
  await follow(store.sink)
  expect(store.said().map((text) => Number(text.split(' ')[0]))).toEqual(
    Array.from({ length: 1200 }, (_, n) => n),
  )
  expect(store.calls()).toBeGreaterThan(3)
})

test('removes secrets and private parts', async () => {
  const store = newStore()
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
  writeFileSync(path, line(1, `push with ${secret} <private>my salary</private>`))
  expect(await follow(store.sink)).toMatchObject({ redacted: 2 })
  expect(store.said()).toEqual(['push with [redacted: github-token] [redacted: private]'])
})

test('removes secrets from a branch and names of files too, and counts them', async () => {
  const store = newStore()
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
  const call = { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: `notes/${secret}.md` } }
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'read' }
  const more = { gitBranch: `with/${secret}` }
  writeFileSync(
    path,
    line(1, 'read it', more) +
      line(2, '', { ...more, type: 'assistant', message: { content: [call] } }) +
      line(3, '', { ...more, message: { content: [result] } }),
  )
  const { redacted } = await follow(store.sink)
  const sent = JSON.stringify(store.batches)
  expect(sent).not.toContain('ghp_')
  expect(redacted).toBe(sent.split('[redacted: github-token]').length - 1)
  expect(store.batches[0]).toMatchObject({
    conversation: { project: { branch: 'with/[redacted: github-token]' } },
    turns: [{}, { files: ['notes/[redacted: github-token].md'] }],
  })
})

/** A folder in a worktree of a repository. */
function makeWorktree(): string {
  const worktree = join(folder, 'worktrees/fix-port')
  mkdirSync(join(worktree, 'server'), { recursive: true })
  const place = join(folder, 'checkout-service/.git/worktrees/fix-port')
  writeFileSync(join(worktree, '.git'), `gitdir: ${place}\n`)
  return join(worktree, 'server')
}

test('takes a worktree for the project of its repository, and leaves it alone with that', async () => {
  const worktree = makeWorktree()
  writeFileSync(path, line(1, 'said', { cwd: worktree }))
  const store = newStore()
  await follow(store.sink)
  const [batch] = store.batches
  expect(batch?.conversation.project).toEqual({ name: 'checkout-service', path: worktree })
  mkdirSync(join(folder, 'checkout-service'))
  writeFileSync(join(folder, 'checkout-service/.lociignore'), '')
  appendFileSync(path, line(2, 'said', { cwd: worktree }))
  expect(await follow(store.sink)).toMatchObject({ stored: 0 })
})

test('keeps the name of the project when the worktree has gone', async () => {
  const cwd = makeWorktree()
  writeFileSync(path, line(1, 'said', { cwd }))
  const store = newStore()
  await follow(store.sink)
  rmSync(join(folder, 'worktrees'), { recursive: true })
  appendFileSync(path, line(2, 'said late', { cwd }))
  await follow(store.sink)
  expect(store.batches.map(({ conversation }) => conversation.project?.name)).toEqual([
    'checkout-service',
    'checkout-service',
  ])
})

test('names a folder of a clone after what was cloned', async () => {
  const clone = join(folder, 'second-clone')
  mkdirSync(join(clone, '.git'), { recursive: true })
  mkdirSync(join(clone, 'server'))
  const origin = '[remote "origin"]\n\turl = git@example.com:acme/checkout-service.git\n'
  writeFileSync(
    join(clone, '.git/config'),
    `[remote "fork"]\n\turl = https://x.y/z\n${origin}[core]\n\turl = no\n`,
  )
  writeFileSync(path, line(1, 'said', { cwd: join(clone, 'server') }))
  const store = newStore()
  await follow(store.sink)
  expect(store.batches[0]?.conversation.project?.name).toBe('checkout-service')
})

test('names a worktree that Claude Code made, and has removed, after the project', async () => {
  writeFileSync(path, line(1, 'said', { cwd: '/home/ada/checkout-service/.claude/worktrees/fix-port' }))
  const store = newStore()
  await follow(store.sink)
  expect(store.batches[0]?.conversation.project?.name).toBe('checkout-service')
})

test('leaves projects alone that have a .lociignore', async () => {
  const store = newStore()
  mkdirSync(join(folder, 'project'))
  writeFileSync(join(folder, 'project', '.lociignore'), '')
  writeFileSync(path, line(1))
  await follow(store.sink)
  expect(store.said()).toEqual([])
})

test('names a conversation anew with the next turn, after it was renamed', async () => {
  const store = newStore()
  writeFileSync(path, line(1))
  await follow(store.sink)
  appendFileSync(path, '{"type":"custom-title","customTitle":"port-fixing","sessionId":"s1"}\n')
  await follow(store.sink)
  await follow(store.sink)
  appendFileSync(path, line(2))
  expect(await follow(store.sink)).toMatchObject({ stored: 1, known: 0 })
  expect(store.batches.at(-1)?.conversation.title).toBe('port-fixing')
  expect(await follow(store.sink)).toMatchObject({ bytes: 0 })
})

test('follows the database of opencode, also while a part is being written', async () => {
  const store = newStore()
  path = join(folder, 'opencode.db')
  const database = new DatabaseSync(path)
  database.exec(fixture('opencode-1.18.33-tools.sql'))
  const running =
    '{"type":"tool","tool":"bash","callID":"c","state":{"status":"running","input":{"command":"sleep 1","todos":[{"status":"completed"}]}}}'
  const last = database.prepare('select * from part order by time_updated desc limit 1').get()!
  database
    .prepare('insert into part values (?, ?, ?, ?, ?, ?)')
    .run(
      'prt_z',
      last.message_id!,
      last.session_id!,
      Number(last.time_created) + 5,
      Number(last.time_updated) + 5,
      running,
    )
  expect(await follow(store.sink)).toMatchObject({ stored: 7 })
  const ended = running.replace('running', 'completed')
  database.prepare("update part set data = ?, time_updated = time_updated + 9 where id = 'prt_z'").run(ended)
  expect(await follow(store.sink)).toMatchObject({ stored: 1, known: 0 })
  expect(await follow(store.sink)).toMatchObject({ stored: 0, known: 0 })
})

test('follows the database of Cursor while it is open and written', async () => {
  const store = newStore()
  path = join(folder, 'state.vscdb')
  const database = new DatabaseSync(path)
  database.exec(`pragma journal_mode = wal;
    create table cursorDiskKV (key text unique on conflict replace, value blob)`)
  const put = (key: string, value: object) =>
    database.prepare('insert into cursorDiskKV values (?, ?)').run(key, JSON.stringify(value))
  const say = (id: string, type: number, text: string) => put(`bubbleId:c1:${id}`, { type, text })
  const order = (...ids: string[]) =>
    put('composerData:c1', { fullConversationHeadersOnly: ids.map((bubbleId) => ({ bubbleId })) })
  say('b1', 1, 'Hello')
  order('b1')
  expect(recogniseTranscripts(folder).map(({ reader }) => reader.agent)).toEqual(['cursor'])
  expect(await follow(store.sink)).toMatchObject({ stored: 1 })
  say('b2', 2, 'Hi')
  order('b1', 'b2')
  expect(await follow(store.sink)).toMatchObject({ stored: 1, known: 0 })
  expect(await follow(store.sink)).toMatchObject({ stored: 0, known: 0 })
  expect(store.said()).toEqual(['Hello', 'Hi'])
  database.close()
})

test.each([
  ['claude-code', 'claude-code-2.1.197-tools.jsonl'],
  ['codex', 'codex-0.169.0-tools.jsonl'],
  ['codex', 'codex-0.42.0-tools.jsonl'],
  ['copilot', 'copilot-1.0.102-tools.jsonl'],
  ['gemini', 'gemini-0.61.0-tools.jsonl'],
  ['qwen', 'qwen-0.24.4-tools.jsonl'],
])('recognises a file of %s by how it begins: %s', (agent, name) => {
  writeFileSync(path, fixture(name))
  expect(recogniseTranscripts(folder).map(({ reader }) => reader.agent)).toEqual([agent])
})

test('notices what stands in the log beside the database, and looks at resting files rarely', () => {
  const folderOf = join(folder, '.local/share/opencode')
  mkdirSync(folderOf, { recursive: true })
  const database = new DatabaseSync(join(folderOf, 'opencode.db'))
  database.exec('pragma journal_mode = wal; create table t (a)')
  let now = Date.now()
  const list = transcriptLister(transcriptSources({ home: folder, platform: 'linux', env: {} }), () => now)
  const [before] = list()
  database.exec("insert into t values ('x')")
  expect(list()[0]?.bytes).toBeGreaterThan(before!.bytes)
  now += 48 * 60 * 60 * 1000
  const [resting] = list()
  database.exec("insert into t values ('y')")
  expect(list()[0]).toEqual(resting)
  const later = Array.from({ length: 60 }, () => list()[0]!.bytes)
  expect(Math.max(...later)).toBeGreaterThan(resting!.bytes)
  database.close()
})

test('takes no other file for a transcript', () => {
  writeFileSync(path, '{"type":"entity","name":"Ada","entityType":"person","observations":[]}\n')
  writeFileSync(join(folder, 'empty.jsonl'), '')
  writeFileSync(join(folder, 'notes.md'), '# Notes\n')
  expect(recogniseTranscripts(folder)).toEqual([])
})
