import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreTurns } from '@loci/contract/conversations'
import { beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { setPlan } from '../../../test/accounts.ts'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { secrets } from '../../../test/public-secrets.ts'
import { checkAll, repairAll } from '../checks/checks.service.ts'
import { finishRemovals } from '../removals/removals.ts'
import { sweepConversations } from './conversation-sweep.ts'

type Body = z.input<typeof StoreTurns>
type NewTurn = Body['turns'][number]

const said = (n: number, more: Partial<NewTurn> = {}): NewTurn => ({
  externalId: `u${n}`,
  at: `2026-11-01T10:00:${String(n % 60).padStart(2, '0')}Z`,
  role: 'person',
  text: `said ${n}`,
  ...more,
})
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

describeOnBothDatabases('conversations', (server, dialect) => {
  let alice: Person
  beforeEach(async () => {
    alice = await server().signUp()
  })

  const store = (turns: NewTurn[], conversation: Partial<Body['conversation']> = {}, person = alice) =>
    person.rest.storeTurns({
      body: { conversation: { agent: 'claude-code', externalId: 's1', ...conversation }, turns },
    })
  const list = async (query: Record<string, string> = {}, person = alice) =>
    (await person.rest.listConversations({ query })).conversations
  const titles = async (query: Record<string, string>) => (await list(query)).map(({ title }) => title)
  const read = (id: string, query: Record<string, string> = {}) =>
    alice.rest.readConversation({ params: { id }, query })
  const bytesOf = async ({ accountId }: Person) =>
    (
      await server()
        .ctx.db.selectFrom('accounts')
        .select('conversation_bytes as bytes')
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow()
    ).bytes

  const differences = () => arrayOf(checkAll(server().ctx))

  test('are read as they were said, in order', async () => {
    const project = { name: 'shop', path: '/home/ada/shop', branch: 'main' }
    const tool = { name: 'bash', input: 'npm test', ok: false, exitCode: 1 }
    const turns = [
      said(0),
      said(1, { role: 'agent', text: 'Grüße 😀' }),
      said(2, { role: 'tool', text: '', tool, files: ['/home/ada/shop/src/a.ts'] }),
    ]
    const { conversationId, ...counts } = await store(turns, { title: 'Tests', project })
    expect(counts).toEqual({ stored: 3, known: 0, redacted: 0 })
    const { conversation, ...page } = await read(conversationId)
    expect(conversation).toEqual({
      ...{ id: conversationId, agent: 'claude-code', externalId: 's1', project, title: 'Tests' },
      ...{ startedAt: '2026-11-01T10:00:00.000Z', endedAt: '2026-11-01T10:00:02.000Z', turns: 3, facts: 0 },
      bytes: 'said 0Grüße 😀'.length + 4 + JSON.stringify(tool).length + '["/home/ada/shop/src/a.ts"]'.length,
    })
    expect(await bytesOf(alice)).toBe(conversation.bytes)
    expect(page).toMatchObject({ nextCursor: null, previousCursor: null })
    expect(page.turns).toEqual(
      turns.map(({ externalId: _, at, ...turn }, i) => ({
        ...turn,
        ...{ id: expect.stringMatching(/^trn_/), seq: i + 1, at: at.replace('Z', '.000Z') },
      })),
    )
    expect(await list()).toEqual([{ ...conversation, ledTo: [], ledToCount: 0, toDecide: 0 }])
  })

  test('store the same turn once, whoever sends it', async () => {
    const { conversationId } = await store([said(0), said(1), said(0)])
    expect((await read(conversationId)).turns).toHaveLength(2)
    const again = await store([said(1, { text: 'other words' }), said(2)], { title: 'Now named' })
    expect(again).toEqual({ conversationId, stored: 1, known: 1, redacted: 0 })
    const sends = range(0, 4).map((n) => store([said(3 + (n % 2)), said(3), said(4)]))
    const counts = await Promise.all(sends)
    expect(counts.reduce((sum, { stored }) => sum + stored, 0)).toBe(2)
    const { turns, conversation } = await read(conversationId)
    expect(turns.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
    expect(turns.map(({ text }) => text).sort()).toEqual(range(0, 5).map((n) => `said ${n}`))
    expect(conversation).toMatchObject({ title: 'Now named', turns: 5 })
    expect((await store([said(0)], { externalId: 's2' })).stored).toBe(1)
    expect((await store([said(0)], { agent: 'codex' })).stored).toBe(1)
    expect(await bytesOf(alice)).toBe((await list()).reduce((sum, { bytes }) => sum + bytes, 0))
  })

  test('without a title are named after the first words of the person', async () => {
    await store([said(1, { role: 'agent', text: 'Hello!' })])
    expect(await titles({})).toEqual([''])
    await store([said(2, { text: `Why does the\n\ntest fail? ${'x'.repeat(200)}` }), said(3)])
    expect(await titles({})).toEqual([`Why does the test fail? ${'x'.repeat(96)}`])
    await store([said(4)], { title: 'A failing test' })
    expect(await titles({})).toEqual(['A failing test'])
  })

  test('are listed newest first, by agent, project, file, title and time', async () => {
    const file = (path: string) => ({ files: [path] })
    await store([said(5, file('/w/shop/src/index.ts'))], {
      ...{ externalId: 'a', title: 'Redis or not' },
      project: { name: 'shop', path: '/w/shop' },
    })
    await store([said(9, file('C:\\w\\blog\\src\\index.ts'))], {
      ...{ externalId: 'b', title: 'A new header', agent: 'codex' },
      project: { name: 'blog', path: '/w/blog' },
    })
    await store([said(7)], { externalId: 'c', title: 'Tea' })
    expect(await titles({})).toEqual(['A new header', 'Tea', 'Redis or not'])
    expect(await titles({ agent: 'claude-code' })).toEqual(['Tea', 'Redis or not'])
    expect(await titles({ project: 'shop' })).toEqual(['Redis or not'])
    expect(await titles({ project: '/w/blog' })).toEqual(['A new header'])
    expect(await titles({ project: '/x/blog' })).toEqual([])
    expect(await titles({ file: 'src/index.ts' })).toEqual(['Redis or not'])
    expect(await titles({ file: 'index.ts' })).toEqual(['A new header', 'Redis or not'])
    expect(await titles({ file: 'dex.ts' })).toEqual([])
    expect(await titles({ query: 'not REDIS' })).toEqual(['Redis or not'])
    expect(await titles({ after: '2026-11-01T10:00:06Z', before: '2026-11-01T10:00:08Z' })).toEqual(['Tea'])
    const pages: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await alice.rest.listConversations({ query: { limit: '1', ...(cursor && { cursor }) } })
      pages.push(...page.conversations.map(({ title }) => title))
      cursor = page.nextCursor
    }
    expect(pages).toEqual(['A new header', 'Tea', 'Redis or not'])
  })

  test('are read page by page in both directions, also around a turn', async () => {
    const { conversationId } = await store(range(0, 50).map((n) => said(n)))
    const all = (await read(conversationId)).turns
    const around = await read(conversationId, { around: all[20]!.id, limit: '10' })
    expect(around.turns).toEqual(all.slice(15, 25))
    const next = await read(conversationId, { cursor: around.nextCursor!, limit: '25' })
    expect([next.turns, next.nextCursor]).toEqual([all.slice(25), null])
    const previous = await read(conversationId, { cursor: around.previousCursor!, limit: '10' })
    expect(previous.turns).toEqual(all.slice(5, 15))
    const first = await read(conversationId, { cursor: previous.previousCursor!, limit: '10' })
    expect([first.turns, first.previousCursor]).toEqual([all.slice(0, 5), null])
    const other = await store([said(0)], { externalId: 's2' })
    await expect(read(other.conversationId, { around: all[20]!.id })).rejects.toMatchObject({
      code: 'turn_not_found',
    })
    const long = await store(
      range(0, 30).map((n) => said(n, { text: `${n}${'x'.repeat(60_000)}` })),
      { externalId: 'long' },
    )
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await read(long.conversationId, { ...(cursor && { cursor }) })
      expect(page.turns.length).toBeLessThan(30)
      seen.push(...page.turns.map(({ text }) => text.slice(0, text.indexOf('x'))))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(range(0, 30).map(String))
  })

  test('have no secrets and private passages, and are cut where they are too long', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    const { conversationId, redacted } = await store(
      [
        said(0, { text: `push with ${secret} <private>my salary</private>` }),
        said(1, { role: 'tool', tool: { name: 'bash', input: `GH=${secret} gh pr list` } }),
        said(2, { text: `${'y'.repeat(65_535)}😀${secret}` }),
      ],
      { title: `Use ${secret}` },
    )
    expect(redacted).toBe(5)
    const { turns, conversation } = await read(conversationId)
    expect(JSON.stringify({ turns, conversation })).not.toMatch(/ghp_|salary/)
    expect(turns[0]!.text).toBe('push with [redacted: github-token] [redacted: private]')
    expect(turns[2]).toMatchObject({ text: 'y'.repeat(65_535), cut: '😀[redacted: github-token]'.length })
  })

  test('have no secrets in their project either, nor in the names of files', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    const project = {
      name: `atlas ${secret}`,
      path: '/home/<private>ada</private>/atlas',
      repository: `https://ada:${secret}@github.com/ada/atlas.git`,
      branch: `with/${secret}`,
    }
    const turns = [
      said(0, { role: 'tool', tool: { name: 'Read' }, files: [`notes/${secret}.md`, 'src/a.ts'] }),
    ]
    const { conversationId, redacted } = await store(turns, { project })
    const { conversation, ...page } = await read(conversationId)
    expect(conversation.project).toEqual({
      name: 'atlas [redacted: github-token]',
      path: '/home/[redacted: private]/atlas',
      repository: 'https://ada:[redacted: github-token]@github.com/ada/atlas.git',
      branch: 'with/[redacted: github-token]',
    })
    expect(page.turns[0]!.files).toEqual(['notes/[redacted: github-token].md', 'src/a.ts'])
    expect(redacted).toBe(5)
    const found = await server().ctx.db.selectFrom('search_words').select('word').execute()
    expect(JSON.stringify(found).toLowerCase()).not.toContain('a1b2c3d4e5f6')
  })

  test('keep none of the public kinds of secrets, whatever part of a turn they are in', async () => {
    const values = secrets.map(([, secret, put = (text: string) => text]) => ({ secret, text: put(secret) }))
    const turns = values.map(({ text }, n) =>
      said(n, { text: `It is ${text} here`, role: 'tool', tool: { name: 'bash', input: `echo ${text}` } }),
    )
    const { conversationId, redacted } = await store(turns, { title: values[0]!.text })
    expect(redacted).toBeGreaterThan(2 * secrets.length)
    const { conversation, ...page } = await read(conversationId, { limit: '500' })
    const shown = JSON.stringify([conversation, page])
    const lines = (secret: string) =>
      secret.split(/\\n|\n/).filter((line) => line.length > 5 && !line.startsWith('-----'))
    const words = await server().ctx.db.selectFrom('search_words').select('word').execute()
    const indexed = words.map(({ word }) => word).join(' ')
    for (const { secret } of values)
      for (const line of lines(secret)) {
        expect(shown).not.toContain(line)
        expect(indexed).not.toContain(line.toLowerCase())
      }
  })

  test.runIf(dialect === 'sqlite')(
    'leave no word of their own in the files when they are erased',
    async () => {
      const { dataDir } = server().config
      const isInFiles = (word: RegExp) =>
        readdirSync(dataDir)
          .filter((name) => name.startsWith('loci.db'))
          .some((name) => word.test(readFileSync(join(dataDir, name), 'latin1')))
      const { conversationId } = await store(
        range(0, 40).map((n) => said(n, { text: `The code name is vorqualtheb, and ${n} more are shared` })),
        { externalId: 'secret' },
      )
      await store([said(0, { text: 'What is shared stays' })], { externalId: 'kept' })
      // The index keeps a term without the beginning that it shares with the one before it.
      expect(isInFiles(/qualtheb/)).toBe(true)
      await alice.rest.eraseConversation({ params: { id: conversationId } })
      expect(isInFiles(/qualth/)).toBe(false)
      const found = await alice.rest.searchTurns({ query: { query: 'shared' } })
      expect(found.turns.map(({ text }) => text)).toEqual(['What is shared stays'])
      expect(await differences()).toEqual([])
      expect((await store([said(0, { text: 'vorqualtheb' })], { externalId: 'secret' })).stored).toBe(1)
      expect((await alice.rest.searchTurns({ query: { query: 'vorqualteb' } })).total).toBe(1)
    },
  )

  test('cost no operation to store, since followers do it by themselves', async () => {
    const { apiKey } = await alice.rest.createKey({ body: { name: 'follower', permissions: [] } })
    const operations = async () => (await alice.rest.usage({})).operations
    const before = await operations()
    const body = { conversation: { agent: 'codex', externalId: 'o1' }, turns: [said(0)] }
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const call = (path: string, init: RequestInit) => fetch(`${server().url}${path}`, { headers, ...init })
    expect(
      (await call('/api/conversations/turns', { method: 'POST', body: JSON.stringify(body) })).status,
    ).toBe(200)
    expect(await operations()).toBe(before)
    expect((await call('/api/conversations', {})).status).toBe(200)
    await expect.poll(operations).toBe(before + 1)
  })

  test('are deleted and erased whole, and then can be stored anew', async () => {
    for (const remove of ['deleteConversation', 'eraseConversation'] as const) {
      const { conversationId } = await store(
        range(0, 450).map((n) => said(n, { files: [`/f${n % 7}`] })),
        { externalId: remove },
      )
      const kept = await store([said(0)], { externalId: 'kept' })
      await alice.rest[remove]({ params: { id: conversationId } })
      await expect(read(conversationId)).rejects.toMatchObject({ code: 'conversation_not_found' })
      expect((await list()).map(({ id }) => id)).toEqual([kept.conversationId])
      expect(await bytesOf(alice)).toBe('said 0'.length)
      expect((await store([said(0)], { externalId: remove })).stored).toBe(1)
      await alice.rest.deleteConversation({
        params: { id: (await list()).find((one) => one.externalId === remove)!.id },
      })
    }
  })

  test.runIf(dialect === 'sqlite')(
    'leave no sentence in the files when they are erased while others write',
    async () => {
      const { dataDir } = server().config
      const isInFiles = () =>
        readdirSync(dataDir)
          .filter((name) => name.startsWith('loci.db'))
          .some((name) => /zanzibar\d* kilimanjaro/.test(readFileSync(join(dataDir, name), 'latin1')))
      const words = (n: number) => `zanzibar${n} ${'kilimanjaro '.repeat(n % 7 === 0 ? 900 : 20)}`
      const erased = await store(
        range(0, 300).map((n) => said(n, { text: words(n) })),
        { title: 'zanzibar kilimanjaro', externalId: 'erased' },
      )
      await store([said(0)], { title: 'Not zanzibar kilimanjaro', externalId: 'erased' })
      await store([said(0)], { title: 'kept', externalId: 'kept' })
      expect(isInFiles()).toBe(true)
      await Promise.all([
        alice.rest.eraseConversation({ params: { id: erased.conversationId } }),
        ...range(1, 20).map((n) => store([said(n)], { externalId: 'kept' })),
      ])
      expect(isInFiles()).toBe(false)
      expect((await list()).map(({ turns }) => turns)).toEqual([20])
      expect(await server().ctx.dialect.checkFile(server().ctx.db, 'full')).toEqual([])
    },
  )

  test('are deleted when they are older than the server keeps them', async () => {
    await store([said(0)], { externalId: 'old' })
    await store([said(1, { at: new Date(server().clock.now - 86_400_000).toISOString() })], {
      externalId: 'new',
    })
    const days = (server().clock.now - Date.parse('2026-11-01T10:00:00Z')) / 86_400_000
    const sweep = (days: number) => {
      const { ctx } = server()
      return sweepConversations({ ...ctx, config: { ...ctx.config, conversationDays: days } })
    }
    await sweep(days)
    expect(await list()).toHaveLength(2)
    await sweep(days - 0.001)
    expect((await list()).map(({ externalId }) => externalId)).toEqual(['new'])
    expect(await differences()).toEqual([])
  })

  test('go with their space, and the counters stay right', async () => {
    await setPlan(server(), alice, 'pro')
    const { space } = await alice.rest.createSpace({ body: { name: 'Other' } })
    const { status } = await server().call('POST', '/api/conversations/turns?space=Other', {
      token: alice.token,
      body: {
        conversation: { agent: 'a', externalId: 'b' },
        turns: range(0, 700).map((n) => said(n, { files: ['/a'] })),
      },
    })
    expect(status).toBe(200)
    await store([said(0)])
    expect(await differences()).toEqual([])
    await alice.rest.deleteSpace({ params: { id: space.id } })
    await finishRemovals(server().ctx)
    expect(await bytesOf(alice)).toBe('said 0'.length)
    expect(await differences()).toEqual([])
    await server()
      .ctx.db.updateTable('accounts')
      .set({ conversation_bytes: 1 })
      .where('id', '=', alice.accountId)
      .execute()
    expect(await differences()).toMatchObject([{ accountId: alice.accountId }])
    await repairAll(server().ctx)
    expect(await differences()).toEqual([])
  })

  test('count the facts that name them as their source', async () => {
    const { conversationId } = await store([said(0)])
    const turnId = (await read(conversationId)).turns[0]!.id
    const source = { conversationId, turnId }
    const observations = [
      { content: 'Tea is hot', source },
      { content: 'No source' },
      { content: 'Web', source: { url: 'https://a.example' } },
    ]
    await alice.rest.createEntity({ body: { name: 'Tea', type: 'drink', observations } })
    await store([said(0)], { externalId: 's2' })
    expect((await list()).map(({ externalId, facts }) => [externalId, facts])).toEqual([
      ['s2', 0],
      ['s1', 1],
    ])
    expect((await read(conversationId)).conversation.facts).toBe(1)
  })

  test('end at the bytes that the plan allows, apart from those of memory', async () => {
    await server()
      .ctx.db.updateTable('accounts')
      .set({ conversation_bytes: 100 * 1_000_000 - 10 })
      .where('id', '=', alice.accountId)
      .execute()
    await expect(store([said(0), said(1)])).rejects.toMatchObject({ code: 'plan_limit_reached' })
    expect(await list()).toEqual([])
    expect((await store([said(0)])).stored).toBe(1)
    await alice.rest.createEntity({ body: { name: 'Still', type: 'thing', observations: ['stored'] } })
  })

  test.each<[string, object]>([
    ['no turns', { turns: [] }],
    ['a NUL', { turns: [said(0, { text: 'a\u0000' })] }],
    ['no time', { turns: [said(0, { at: 'yesterday' })] }],
    ['no conversation', { conversation: undefined, turns: [said(0)] }],
    ['too many turns', { turns: range(0, 1_001).map((n) => said(n)) }],
  ])('refuse a body with %s', async (_, body) => {
    const { status, body: answer } = await server().call('POST', '/api/conversations/turns', {
      token: alice.token,
      body: { conversation: { agent: 'a', externalId: 'b' }, ...body },
    })
    expect([status, answer.error.code]).toEqual([400, 'validation_failed'])
  })
})
