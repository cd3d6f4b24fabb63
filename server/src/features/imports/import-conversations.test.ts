import { expect, test } from 'vitest'
import { setPlan } from '../../../test/accounts.ts'
import { type Answer, describeOnBothDatabases, type TestServer } from '../../../test/harness.ts'
import { chatgptFiles, claudeFiles } from '../../../test/other-exports.ts'
import { zipOf } from '../../../test/zip-of.ts'

async function send(server: TestServer, token: string, body: string | Buffer, type: string) {
  const response = await fetch(`${server.url}/api/conversations/import?fileName=export.zip`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: Buffer.from(body),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

describeOnBothDatabases('imports of conversations', (server) => {
  test('store the exports of ChatGPT and Claude as conversations, and again only what is new', async () => {
    const alice = await server().signUp()
    const archive = await zipOf(chatgptFiles)
    const first = await send(server(), alice.token, archive, 'application/zip')
    expect([first.status, first.body]).toEqual([200, { conversations: 2, stored: 3, known: 0, redacted: 0 }])
    const again = await send(server(), alice.token, archive, 'application/zip')
    expect(again.body).toEqual({ conversations: 2, stored: 0, known: 3, redacted: 0 })
    const claude = await send(server(), alice.token, await zipOf(claudeFiles), 'application/zip')
    expect(claude.body.stored).toBeGreaterThan(0)
    const { conversations } = await alice.rest.listConversations({ query: { agent: 'chatgpt' } })
    expect(conversations.map(({ title }) => title)).toEqual(['Trip to Rome (2024-05-02)', 'Trip to Rome'])
    const { turns } = await alice.rest.readConversation({ params: { id: conversations[1]!.id }, query: {} })
    expect(turns.map(({ role, text }) => [role, text])).toEqual([
      ['person', 'How do I get to Rome?'],
      ['agent', 'By night train.'],
    ])
    expect((await alice.rest.listEntities()).entities).toEqual([])
  })

  test('remove secrets', async () => {
    const alice = await server().signUp()
    const secret = `ghp_${'Ab1'.repeat(12)}`
    const message = (id: string, parent: string | null, text: string) => ({
      ...{ id, parent, children: [] },
      message: {
        ...{ id, author: { role: 'user' }, create_time: 1_700_000_000 },
        content: { content_type: 'text', parts: [text] },
      },
    })
    const long = `Use ${secret} here. ${'word '.repeat(4_000)}`
    const file = [
      {
        ...{ title: `About ${secret}`, conversation_id: 'c', create_time: 1_700_000_000, current_node: 'a' },
        mapping: { a: message('a', null, long) },
      },
    ]
    const { body } = await send(server(), alice.token, JSON.stringify(file), 'application/json')
    expect(body).toMatchObject({ conversations: 1, stored: 1, redacted: 2 })
    const { conversations } = await alice.rest.listConversations({ query: {} })
    const { turns } = await alice.rest.readConversation({ params: { id: conversations[0]!.id }, query: {} })
    expect(JSON.stringify([conversations, turns])).not.toContain('Ab1Ab1')
    expect(turns[0]!.text).toMatch(/^Use \[redacted: github-token\] here\. /)
  })

  test('refuse other files, and more than the plan holds', async () => {
    const alice = await server().signUp()
    const memory = '{"type":"entity","name":"Ada","entityType":"person","observations":["x"]}'
    const other = await send(server(), alice.token, memory, 'application/jsonl')
    expect([other.status, other.body.error.code]).toEqual([400, 'validation_failed'])
    const empty = await send(server(), alice.token, '', 'application/json')
    expect([empty.status, empty.body.error.code]).toEqual([400, 'validation_failed'])
    await setPlan(server(), alice, 'free')
    await server()
      .ctx.db.updateTable('accounts')
      .set({ conversation_bytes: 1e15 })
      .where('id', '=', alice.accountId)
      .execute()
    const full = await send(server(), alice.token, await zipOf(chatgptFiles), 'application/zip')
    expect([full.status, full.body.error.code]).toEqual([403, 'plan_limit_reached'])
  })
})
