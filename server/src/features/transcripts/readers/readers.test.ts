import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { claudeCode } from './claude-code.ts'
import { cleanTurn, countingClean } from './clean-turn.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import { type JsonRecord, parseRecord } from './json-record.ts'
import { opencode, opencodeRecords } from './opencode.ts'
import { qwen } from './qwen.ts'
import { newReaderState, type Reader, type ReadTurn, saidByPerson } from './reader.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')

const recordsOf = (text: string) =>
  text
    .split('\n')
    .map(parseRecord)
    .filter((record) => record !== undefined)

function readAll(reader: Reader, records: Iterable<JsonRecord>) {
  const state = newReaderState()
  const turns: ReadTurn[] = []
  for (const record of records) turns.push(...reader.read(state, record))
  return { state, turns }
}

const readFixture = (reader: Reader, name: string) => readAll(reader, recordsOf(fixture(name)))

/** A turn as one line. */
function shown({ role, text, tool, files }: ReadTurn): string {
  if (!tool) return `${role}: ${text}`
  const ended = tool.ok === undefined ? '?' : tool.ok ? 'ok' : 'failed'
  const code = tool.exitCode === undefined ? '' : ` ${tool.exitCode}`
  return `${tool.name} ${tool.input ?? ''} -> ${ended}${code}${text && `: ${text}`}${files ? ` [${files.join(' ')}]` : ''}`
}

const failing = "echo 'Error: connect ECONNREFUSED' >&2; exit 3"
const fixed = 'agent: The fix was to start PostgreSQL before the tests.'

test('reads a session of Claude Code', () => {
  const { state, turns } = readFixture(claudeCode, 'claude-code-2.1.197-tools.jsonl')
  expect(turns.map(shown)).toEqual([
    'person: Why do the tests fail? Fix it.',
    'agent: I will run the tests first.',
    "Bash echo 'Error: connect ECONNREFUSED 127.0.0.1:5432' >&2; exit 3 -> failed 3: Exit code 3\nError: connect ECONNREFUSED 127.0.0.1:5432",
    'Read /home/ada/checkout-service/server.js -> ok [server.js]',
    'Edit {"replace_all":false,"file_path":"/home/ada/checkout-service/server.js"} -> ok [server.js]',
    'Write /home/ada/checkout-service/notes.md -> ok [notes.md]',
    'Grep {"pattern":"port","path":"/home/ada/checkout-service"} -> ok',
    "Bash echo '12 passed' -> ok: 12 passed",
    `${fixed} I moved the port to 3001.`,
  ])
  expect(state.conversation).toEqual({
    externalId: 'cf72cf11-597a-499a-8a06-ec2decec4e18',
    startedAt: '2026-11-24T08:45:41.436Z',
    project: { name: 'checkout-service', path: '/home/ada/checkout-service', branch: 'master' },
  })
  expect(state.unknown).toEqual({})
})

test("a subagent speaks in the session that asked it, and its orders are nobody's words", () => {
  const { state, turns } = readFixture(claudeCode, 'claude-code-2.1.197-subagent.jsonl')
  expect(turns.map(shown)).toEqual([
    'agent: Subagent speaking.',
    'Bash echo sub -> ok: sub',
    'agent: The port is 3001, says the subagent.',
  ])
  expect(state.conversation.externalId).toBe('05658e20-39df-4c82-87ba-031f5ff1ca85')
  expect(state.unknown).toEqual({})
})

test('reads a session of Codex', () => {
  const { state, turns } = readFixture(codex, 'codex-0.169.0-tools.jsonl')
  expect(turns.map(shown)).toEqual([
    'person: Why do the tests fail?',
    'agent: I will run the tests first.',
    `exec_command ${failing} -> failed 3: Error: connect ECONNREFUSED`,
    'apply_patch Update File: server.js -> ok 0 [server.js]',
    "exec_command echo '12 passed' -> ok 0: 12 passed",
    'shell echo old shell -> failed: unsupported call: shell',
    fixed,
  ])
  expect(state.conversation).toMatchObject({
    externalId: '01a20cbb-7aba-76e0-aa85-5eb4e4db084b',
    project: { name: 'checkout-service', branch: 'master' },
  })
  expect(state.unknown).toEqual({})
})

test('reads a session of an earlier Codex', () => {
  const { state, turns } = readFixture(codex, 'codex-0.42.0-tools.jsonl')
  expect(turns.map(shown)).toEqual([
    'person: Why do the tests fail?',
    'agent: I will run the tests first.',
    `shell ${failing} -> failed 3: Error: connect ECONNREFUSED`,
    'shell Add File: old.js -> ok 0: Success. Updated the following files:\nA old.js [old.js]',
    fixed,
  ])
  expect(new Set(turns.map(({ externalId }) => externalId)).size).toBe(turns.length)
  expect(state.unknown).toEqual({})
})

test('reads a session of Gemini CLI', () => {
  const { state, turns } = readFixture(gemini, 'gemini-0.61.0-tools.jsonl')
  const once = [...new Map(turns.map((turn) => [turn.externalId, turn])).values()]
  expect(once.map(shown)).toEqual([
    'person: Why do the tests fail?',
    'agent: I will run the tests first.',
    `run_shell_command ${failing} -> failed 3: Output: Error: connect ECONNREFUSED\nExit Code: 3`,
    'read_file {"file_path":"/home/ada/checkout-service/server.js","absolute_path":"/home/ada/checkout-service/server.js"} -> ok [/home/ada/checkout-service/server.js]',
    'replace {"file_path":"/home/ada/checkout-service/server.js","instruction":"change port"} -> ok [/home/ada/checkout-service/server.js]',
    'write_file /home/ada/checkout-service/notes2.md -> ok [/home/ada/checkout-service/notes2.md]',
    "run_shell_command echo '12 passed' -> ok: Output: 12 passed",
    fixed,
  ])
  expect(state.unknown).toEqual({})
})

test('reads a session of Copilot CLI', () => {
  const { state, turns } = readFixture(copilot, 'copilot-1.0.102-tools.jsonl')
  expect(turns.map(shown)).toEqual([
    'person: Why do the tests fail?',
    'agent: I will run the tests first.',
    'view /home/ada/checkout-service/server.js -> ok [server.js]',
    `bash ${failing} -> failed 3: Error: connect ECONNREFUSED\n<shellId: 0 completed with exit code 3>`,
    'create /home/ada/checkout-service/notes4.md -> ok [notes4.md]',
    "bash echo '12 passed' -> ok 0: 12 passed\n<shellId: 1 completed with exit code 0>",
    fixed,
  ])
  expect(state.conversation.project).toEqual({
    name: 'checkout-service',
    path: '/home/ada/checkout-service',
    branch: 'master',
  })
  expect(state.unknown).toEqual({})
})

test('reads the database of opencode', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(fixture('opencode-1.18.33-tools.sql'))
  const { state, turns } = readAll(opencode, opencodeRecords(database, { after: 0, id: '' }))
  expect(turns.map(shown)).toEqual([
    'person: "Why do the tests fail?"',
    'agent: I will run the tests first.',
    `bash ${failing} -> failed 3: Error: connect ECONNREFUSED`,
    'read /home/ada/checkout-service/server.js -> ok [server.js]',
    'write /home/ada/checkout-service/notes3.md -> ok [notes3.md]',
    "bash echo '12 passed' -> ok 0: 12 passed",
    fixed,
  ])
  expect(state.conversation).toMatchObject({ title: 'A title', project: { name: 'checkout-service' } })
  expect(state.unknown).toEqual({})
})

test('reads a session of Qwen Code, and what a subagent said in it', () => {
  const { state, turns } = readFixture(qwen, 'qwen-0.24.4-tools.jsonl')
  expect(turns.map(shown)).toEqual([
    'person: How do I deploy checkout-service?',
    'mcp__loci__recall {"query":"How is checkout-service deployed?"} -> ok',
    'run_shell_command ls; exit 4 -> failed 4: server.js',
    'agent: With npm run ship.',
    'person: And on Fridays?',
    'agent: Never.',
    'agent: It is in server.js.',
  ])
  expect(state.conversation).toMatchObject({ project: { name: 'checkout-service', branch: 'main' } })
  expect(state.unknown).toEqual({})
})

test("takes commands that Claude Code carries out itself, and their output, for nobody's words", () => {
  const { state, turns } = readFixture(claudeCode, 'claude-code-2.1.332-commands.jsonl')
  expect(turns.map(shown)).toEqual([
    'person: /loci-memory which port has checkout-service?',
    'agent: Mock answer.',
    'person: after compact',
  ])
  expect(state.conversation.title).toBe('port-fixing')
  expect(state.unknown).toEqual({})
})

test('keeps what a person wrote to Claude Code while it was at work, and elements of their own', () => {
  const { state, turns } = readFixture(claudeCode, 'claude-code-2.1.332-queued.jsonl')
  expect(turns.map(shown)).toEqual([
    'person: Run the tests.',
    'Bash sleep 4; echo ok -> ok: ok',
    'person: Also: the port is 3002, remember that.',
    'agent: Mock answer.',
    'person: <task>Use port 3003.</task>',
  ])
  expect(state.unknown).toEqual({})
})

test("takes what Claude Code's program and other agents say for nobody's words", () => {
  const said = (content: string, more: JsonRecord = {}) => ({
    type: 'user',
    uuid: content,
    message: { content },
    ...more,
  })
  const queued = (prompt: unknown, more: JsonRecord = {}) => ({
    ...{ type: 'attachment', uuid: 'a', attachment: { type: 'queued_command', prompt, ...more } },
  })
  const { turns } = readAll(claudeCode, [
    said('[Request interrupted by user]'),
    said('by the harness', { rowSource: 'harness' }),
    said('by another agent', { origin: { kind: 'peer' } }),
    said('typed', { origin: { kind: 'human' }, rowSource: 'local' }),
    queued('<task-notification>done</task-notification>', { commandMode: 'task-notification' }),
    queued('by another agent', { commandMode: 'prompt', origin: { kind: 'coordinator' } }),
    queued('meta', { commandMode: 'prompt', isMeta: true }),
    queued([{ type: 'text', text: 'with a picture' }, { type: 'image' }], { origin: { kind: 'human' } }),
    {
      type: 'assistant',
      uuid: 'b',
      message: { model: '<synthetic>', content: [{ type: 'text', text: 'API Error' }] },
    },
  ])
  expect(turns.map(shown)).toEqual(['person: typed', 'person: with a picture'])
})

test.each([
  [gemini, 'gemini-0.61.0-files.jsonl'],
  [qwen, 'qwen-0.24.4-files.jsonl'],
])('keeps the question about a file, not the file, whatever stands in it: %#', (reader, file) => {
  const { turns } = readFixture(reader, file)
  expect(turns.map(shown)).toEqual(['person: Explain @notes.txt to me', 'agent: Mock answer.'])
})

test.each([
  ['<task>Fix the login</task>', '<task>Fix the login</task>'],
  ['<p>Make this shorter</p>', '<p>Make this shorter</p>'],
  [
    'What does <system-reminder> mean, and the port is 3001?',
    'What does <system-reminder> mean, and the port is 3001?',
  ],
  ['Strip <hook_context>x</hook_context> from it', 'Strip <hook_context>x</hook_context> from it'],
  ['<hook_context> is never closed\nso it is mine', '<hook_context> is never closed\nso it is mine'],
  ['<hook_context>told</hook_context>\n\nmine', 'mine'],
  ['mine\n  <system-reminder>told\n</system-reminder>', 'mine'],
  ['<environment_context>a</environment_context>', ''],
  ['<skill>a</skill>', ''],
  ['<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>', ''],
])("keeps every word of a person's, and none of a program's: %j", (text, said) => {
  expect(saidByPerson(text)).toBe(said)
})

test('keeps what a person writes that only begins like the words of a program', () => {
  const [told, ran] = [
    '# AGENTS.md instructions are out of date',
    'I ran the following shell command:\n```sh\nls\n```\nWhy?',
  ]
  const said = { type: 'message', role: 'user', content: [{ text: told }] }
  expect(readAll(codex, [{ type: 'response_item', payload: said }]).turns.map(shown)).toEqual([
    `person: ${told}`,
  ])
  const { turns } = readAll(gemini, [{ type: 'user', id: '1', content: [{ text: ran }] }])
  expect(turns.map(shown)).toEqual([`person: ${ran}`])
})

test('reads hostile tags in little time', () => {
  for (const part of ['<hook_context>\n', '<a-b>', '\n  <system-reminder></hook_context>', ' ', '</a-b> '])
    saidByPerson(`<a-b>${part.repeat(200_000)}`)
}, 2_000)

test("takes what hooks tell and summaries of Gemini CLI for nobody's words", () => {
  const { state, turns } = readFixture(gemini, 'gemini-0.61.0-compressed.jsonl')
  expect(turns.map(shown)).toEqual([
    'person: How do I deploy checkout-service?',
    'agent: With npm run ship.',
    'person: And after the summary?',
    'agent: Port 3001.',
  ])
  expect(state.unknown).toEqual({})
})

test("a subagent of Copilot CLI speaks in the session, and its orders are nobody's words", () => {
  const { state, turns } = readFixture(copilot, 'copilot-1.0.102-subagent.jsonl')
  expect(turns.filter(({ tool }) => !tool).map(shown)).toEqual([
    'person: Ask an agent for the port.',
    'agent: It is in server.js.',
    'agent: The port is in server.js.',
    'person: And after the summary?',
    'agent: Port 3001.',
  ])
  expect(state.unknown).toEqual({})
})

test('leaves summaries of Codex out', () => {
  const { state, turns } = readFixture(codex, 'codex-0.171.0-compacted.jsonl')
  expect(turns.filter(({ tool }) => !tool).map(shown)).toEqual([
    'person: How do I deploy checkout-service?',
    'agent: With npm run ship.',
    'person: Which port has checkout-service?\nSAY 3001',
    'agent: 3001',
    'person: Go on.\nSAY going on',
    'agent: going on',
  ])
  expect(state.unknown).toEqual({})
})

test("a subagent of Codex speaks in the session that asked it, and its orders are nobody's words", () => {
  const { state, turns } = readFixture(codex, 'codex-0.171.0-subagent.jsonl')
  expect(turns.map(shown)).toEqual(['agent: It is in server.js.'])
  expect(state.conversation.externalId).toBe('01a22eeb-0f2a-7000-a937-188ed0f2984d')
  expect(state.unknown).toEqual({})
})

test('a subagent of opencode speaks in the session that asked it; orders and summaries are left out', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(fixture('opencode-1.18.33-tools.sql'))
  const last = Number(database.prepare('select max(time_updated) as last from part').get()?.last)
  const session = 'ses_df3446795ffee7CnihPpWgVKbT'
  database.exec(`
    insert into session select 'ses_asked', project_id, workspace_id, '${session}', slug, directory, path,
      'look around (@general subagent)', version, ${columnsAfter(database, 'session', 'version')} from session;
    insert into message values ('m1', 'ses_asked', 1, 1, '{"role":"user","summary":{"diffs":[]}}'),
      ('m2', 'ses_asked', 1, 1, '{"role":"assistant"}'), ('m3', '${session}', 1, 1, '{"role":"user"}'),
      ('m4', '${session}', 1, 1, '{"role":"assistant","mode":"compaction","summary":true}');
    insert into part values ('p1', 'm1', 'ses_asked', 1, ${last + 1}, '{"type":"text","text":"Look for the port."}'),
      ('p2', 'm2', 'ses_asked', 1, ${last + 2}, '{"type":"text","text":"It is 3001.","time":{"end":1}}'),
      ('p3', 'm3', '${session}', 1, ${last + 3}, '{"type":"compaction","auto":false}'),
      ('p4', 'm4', '${session}', 1, ${last + 4}, '{"type":"text","text":"A summary.","time":{"end":1}}')`)
  const { state, turns } = readAll(opencode, opencodeRecords(database, { after: last, id: '~' }))
  expect(turns.map(shown)).toEqual(['agent: It is 3001.'])
  expect(state.conversation).toMatchObject({ externalId: session, title: 'A title' })
  expect(state.unknown).toEqual({})
})

test('waits for the title that opencode gives a session', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(fixture('opencode-1.18.33-tools.sql'))
  database.exec(`update session set title = 'New session - 2026-11-30T23:59:38.367Z'`)
  const { state } = readAll(opencode, opencodeRecords(database, { after: 0, id: '' }))
  expect(state.conversation.title).toBeUndefined()
})

/** The columns of a table behind one of them. */
function columnsAfter(database: DatabaseSync, table: string, name: string): string {
  const names = database
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map((row) => String(row.name))
  return names.slice(names.indexOf(name) + 1).join(', ')
}

test.each([
  [claudeCode, 'claude-code-2.1.330-loci.jsonl', 'mcp__plugin_loci_loci__create_entities'],
  [codex, 'codex-0.169.0-loci.jsonl', 'mcp__loci__create_entities'],
])('keeps what our own tools stored: %#', (reader, file, tool) => {
  const { turns } = readFixture(reader, file)
  const call = turns.find((turn) => turn.tool?.name === tool)
  expect(call?.text).toContain('checkout-service')
  expect(call?.tool).toMatchObject({ ok: true })
})

test('keeps no copy of what the memory answered', () => {
  const { turns } = readFixture(codex, 'codex-0.169.0-loci.jsonl')
  const calls = turns.filter(({ tool }) =>
    /recall|open_nodes|explore_entity|list_changes/.test(tool?.name ?? ''),
  )
  expect(calls.filter(({ tool }) => tool?.ok).map(({ text }) => text)).toEqual(['', '', '', ''])
  expect(calls.map(({ tool }) => tool?.input)).toContain('{"query":"What does Ada prefer?"}')
})

test.each([
  [claudeCode, 'claude-code-2.1.197-tools.jsonl'],
  [codex, 'codex-0.169.0-tools.jsonl'],
  [copilot, 'copilot-1.0.102-tools.jsonl'],
  [gemini, 'gemini-0.61.0-tools.jsonl'],
])('keeps no thought, no prompt of the program and no content of a file: %#', (reader, file) => {
  const kept = JSON.stringify(readFixture(reader, file).turns)
  expect(fixture(file)).toContain('export const port')
  for (const hidden of [
    'I should look first',
    'export const port',
    '# Notes',
    'You are',
    '<environment',
    'session_context',
  ])
    expect(kept).not.toContain(hidden)
})

test.each([claudeCode, codex, copilot, gemini, opencode, qwen])(
  'counts what it does not know, and never fails: %#',
  (reader) => {
    const odd: JsonRecord[] = [
      { type: 'brand-new' },
      { type: 'brand-new' },
      { type: 7 },
      {},
      { type: 'user', message: null },
      { type: 'user', message: { content: [null, 1, { type: 'tool_result', content: 7 }] } },
      { type: 'response_item', payload: { type: 'function_call', arguments: '{' } },
      { type: 'response_item', payload: { type: 'message', role: 'user', content: 'x' } },
      { type: 'tool.execution_complete', data: [] },
      { type: 'gemini', toolCalls: [{ status: 'success', result: [{}] }] },
      { $set: 3 },
      { part: { type: 'tool', state: null }, session: 1 },
      { part: { type: 'brand-new' } },
    ]
    const { state } = readAll(reader, odd)
    expect(Object.entries(state.unknown).find(([kind]) => kind.includes('brand-new'))?.[1]).toBeGreaterThan(0)
  },
)

/** A call whose result has come, in the form of each agent. */
const callOf = (id: string, input: unknown): [Reader, JsonRecord[]][] => [
  [
    claudeCode,
    [
      { type: 'assistant', message: { content: [{ type: 'tool_use', id, name: 'x', input }] } },
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id }] } },
    ],
  ],
  [
    codex,
    [
      { type: 'response_item', payload: { type: 'custom_tool_call', call_id: id, name: 'x', input } },
      {
        type: 'event_msg',
        payload: { type: 'item_completed', item: { id, status: 'completed', changes: { a: 1 } } },
      },
      { type: 'response_item', payload: { type: 'custom_tool_call_output', call_id: id } },
    ],
  ],
  [
    copilot,
    [
      { type: 'tool.execution_start', data: { toolCallId: id, toolName: 'x', arguments: input } },
      { type: 'tool.execution_complete', data: { toolCallId: id } },
    ],
  ],
  [gemini, [{ type: 'gemini', toolCalls: [{ id, name: 'x', args: input, status: 'success' }] }]],
  [
    qwen,
    [
      { type: 'assistant', message: { parts: [{ functionCall: { id, name: 'x', args: input } }] } },
      { type: 'tool_result', message: { parts: [{ functionResponse: { id } }] } },
    ],
  ],
  [opencode, [{ id, part: { type: 'tool', tool: 'x', state: { status: 'completed', input } } }]],
]

test('reads a call with a hostile id or input, and leaves all other objects alone', () => {
  let deep: object = {}
  for (let depth = 0; depth < 50_000; depth++) deep = { a: deep }
  for (const [reader, records] of callOf('call', deep)) expect(readAll(reader, records).turns).toHaveLength(1)
  for (const id of ['__proto__', 'constructor', 'toString'])
    for (const [reader, records] of callOf(id, {})) {
      const { state } = readAll(reader, [...records.slice(1), ...records, { type: id, part: { type: id } }])
      expect(Object.values(state.unknown)).toEqual([1])
    }
  for (const object of [{}, Object]) expect('ok' in object || 'exitCode' in object).toBe(false)
})

test('removes secrets from what was said, from commands and names of files, before it cuts', () => {
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
  const said = { externalId: '1', at: '2026-01-01T00:00:00Z', role: 'tool' as const }
  const outcome = { redacted: 0 }
  const clean = countingClean(outcome)
  const turn = cleanTurn(
    {
      ...{ ...said, text: `x ${secret}` },
      tool: { name: `Bash ${secret}`, input: `push ${secret}` },
      files: [`notes/${secret}.md`],
    },
    clean,
  )
  expect(turn).toMatchObject({
    text: 'x [redacted: github-token]',
    tool: { name: 'Bash [redacted: github-token]', input: 'push [redacted: github-token]' },
    files: ['notes/[redacted: github-token].md'],
  })
  expect(outcome.redacted).toBe(4)
  const long = cleanTurn({ ...said, text: `${' '.repeat(65_520)}${secret} and more` }, clean)
  expect(long.text).toHaveLength(65_536)
  expect(long.text).not.toContain('ghp_')
  expect(long.cut).toBe(17)
})
