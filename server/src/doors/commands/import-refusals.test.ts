import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { type Person, startTestServer, type TestServer } from '../../../test/harness.ts'
import { environmentOf } from '../../../test/loci-command.ts'

const line = (value: object) => `${JSON.stringify(value)}\n`
const session = 'b7c1f4de-0000-4000-8000-000000000001'
const timestamp = '2026-11-23T15:43:14.922Z'
const claudeSession =
  line({ type: 'queue-operation', operation: 'enqueue', timestamp, sessionId: session, content: 'go' }) +
  line({
    parentUuid: null,
    sessionId: session,
    type: 'user',
    message: { role: 'user', content: 'go' },
    timestamp,
  })
const codexSession =
  line({ timestamp, type: 'session_meta', payload: { id: session, cwd: '/src' } }) +
  line({ timestamp, type: 'response_item', payload: { type: 'message', role: 'user', content: [] } })

describe('importing a file of an unknown format', () => {
  let server: TestServer
  let alice: Person
  let folder: string
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    alice = await server.signUp()
    folder = await mkdtemp(join(server.config.dataDir, 'files-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await server.close()
  })
  const importFile = (path: string) =>
    runLociInProcess(['import', path, '--account', alice.email], { env: environmentOf(server.config) })
  const listEntities = async () =>
    (await alice.rest.listEntities({ query: { include: 'observations' } })).entities

  test.each([
    ['page.html', '<!doctype html><title>x</title>', 'This looks like a web page.'],
    ['other.jsonl', line({ a: 1 }) + line({ b: 2 }), 'This looks like JSON of another program.'],
    ['settings.yaml', 'name: x\nlist:\n  - y\n', 'This looks like YAML.'],
    ['server.log', '2026-01-02 10:11:12 ERROR x\n', 'This looks like a log.'],
    ['run.sh', '#!/bin/sh\necho x\n', 'This looks like a script.'],
    ['program', '\x7fELF\x00\x01\x00', 'This looks like a binary file.'],
    ['odd.dat', 'x = 1\n', 'This looks like other text.'],
    ['words.csv', 'a,b\n1,2\n', 'This looks like a table. Loci imports its own exports'],
  ])('%s: says what it looks like, stores nothing and ends with 2', async (name, content, words) => {
    const path = join(folder, name)
    await writeFile(path, content)
    const { code, stdout, stderr } = await importFile(path)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('Its format was not recognised.')
    expect(stderr).toContain(words)
    expect(await listEntities()).toEqual([])
  })

  test('a file of which no line can be stored ends with 1', async () => {
    const path = join(folder, 'unfit.jsonl')
    await writeFile(path, line({ type: 'entity', name: 'A\0', entityType: 'thing', observations: [] }))
    const { code, stdout } = await importFile(path)
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Nothing was imported\.\n/)])
    expect(stdout).toContain('\n1 problem\n  line 1: ')
    expect(await listEntities()).toEqual([])
  })

  test.each([
    ['session.jsonl', claudeSession],
    ['rollout.jsonl', codexSession],
  ])('%s, the session of an agent, is read as a conversation and makes no entity', async (name, content) => {
    const path = join(folder, name)
    await writeFile(path, content)
    const { code, stdout } = await importFile(path)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Imported [01] conversation/)])
    expect(await listEntities()).toEqual([])
  })

  test('over REST it is refused in the same words', async () => {
    const response = await fetch(`${server.url}/api/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.apiKey}`, 'content-type': 'application/x-ndjson' },
      body: claudeSession,
    })
    expect(response.status).toBe(400)
    expect((await response.json()).error).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('a Claude Code session'),
    })
  })

  test('notes of an agent and decision records come with their names, dates and successors', async () => {
    const notes = join(folder, 'notes')
    await mkdir(notes)
    const files = {
      'project_staging.md':
        '---\nname: Staging database\ndescription: Where it is\ntype: project\n---\nRuns on db-3.',
      '0001-use-postgresql.md':
        '# 1. Use PostgreSQL\n\nDate: 2025-02-01\n\n## Status\n\nSuperseded by [2](0002-use-mysql.md)\n\nWe use PostgreSQL.',
      '0002-use-mysql.md': '# 2. Use MySQL\n\nDate: 2025-08-01\n\nWe use MySQL.',
    }
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(notes, name), text)
      await utimes(join(notes, name), new Date('2026-03-05T10:00:00Z'), new Date('2026-03-05T10:00:00Z'))
    }
    expect((await importFile(notes)).code).toBe(0)
    const entities = await listEntities()
    expect(Object.fromEntries(entities.map(({ name, createdAt }) => [name, createdAt]))).toEqual({
      'Staging database': '2026-03-05T10:00:00.000Z',
      '1. Use PostgreSQL': '2025-02-01T00:00:00.000Z',
      '2. Use MySQL': '2025-08-01T00:00:00.000Z',
    })
    const facts = entities.find(({ name }) => name === '2. Use MySQL')?.observations ?? []
    expect(facts.find(({ content }) => content === 'We use MySQL.')?.createdAt).toBe(
      '2025-08-01T00:00:00.000Z',
    )
    const { relations } = await alice.rest.listRelations({ query: {} })
    expect(relations).toMatchObject([
      {
        fromEntity: { name: '1. Use PostgreSQL' },
        toEntity: { name: '2. Use MySQL' },
        type: 'superseded_by',
      },
    ])
  })
})
