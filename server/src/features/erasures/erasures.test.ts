import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { restWith, setPlan } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { talk } from '../../../test/talk.ts'

/** Words that nothing else in the database has. */
const word = 'zanzibarquell'
const kept = 'kilimanjarowerk'

describeOnBothDatabases('erasing', (server) => {
  let alice: Person
  beforeAll(async () => {
    alice = await server().signUp()
    await setPlan(server(), alice, 'starter')
  })

  test('an entity leaves nothing of what every door has stored of it', async () => {
    const { rest } = alice
    const place = await rest.createEntity({ body: { name: 'Harbour', type: 'place', observations: [kept] } })
    const entity = await storeThroughEveryDoor(server(), alice, place.entity.id)
    await server().ctx.usage.flush()
    expect((await placesOf(server(), word)).length).toBeGreaterThan(8)
    await rest.eraseEntity({ params: { id: entity } })
    expect(await placesOf(server(), word)).toEqual([])
    expect(await placesOf(server(), kept)).not.toEqual([])
    expect((await rest.search({ query: { query: kept } })).results).toHaveLength(1)
    expect(await server().ctx.dialect.checkFile(server().ctx.db, 'full')).toEqual([])
  })

  test('an observation leaves nothing, in conversations neither', async () => {
    const { rest } = alice
    const secret = 'hunterzanz42'
    const content = `The wifi password is ${secret}, ask Ada`
    const { entity } = await rest.createEntity({
      body: { name: 'Office', type: 'place', observations: [content] },
    })
    const said = [
      { role: 'person' as const, text: `From now on, remember that the code word is ${secret}` },
      { role: 'tool' as const, text: 'ok', tool: { name: 'Bash', input: `wifi "${secret}"` } },
      { role: 'agent' as const, text: `Nobody but ${kept} knows it.` },
      {
        ...{ role: 'tool' as const, text: '', tool: { name: 'Write', input: 'notes' } },
        files: [`notes/${secret}.md`, 'notes/ada.md'],
      },
    ]
    const { conversationId: id } = await rest.storeTurns({
      body: {
        conversation: { agent: 'codex', externalId: 's', title: `What is ${secret}` },
        turns: said.map((turn, n) => ({ externalId: `${n}`, at: '2026-11-01', ...turn })),
      },
    })
    const other = {
      ...{ agent: 'codex', externalId: 'o', title: `On ${secret}` },
      project: { name: secret, path: `/home/ada/${secret}`, branch: `try-${secret}`, repository: secret },
    }
    const asked = [{ externalId: 'o', at: '2026-11-02', role: 'person' as const, text: 'Go on' }]
    const { conversationId: otherId } = await rest.storeTurns({ body: { conversation: other, turns: asked } })
    expect(await placesOf(server(), secret)).not.toEqual([])
    const { observation } = await rest.eraseObservation({
      params: { id: entity.observations[0]!.id },
      body: { content: 'The wifi password is known to Ada' },
    })
    expect(observation?.content).toBe('The wifi password is known to Ada')
    expect(await placesOf(server(), secret)).toEqual([])
    const { conversation, turns } = await rest.readConversation({ params: { id }, query: {} })
    expect(conversation.title).toBe('What is [redacted: secret]')
    expect(turns.map(({ text, tool }) => tool?.input ?? text)).toEqual([
      'From now on, remember that the code word is [redacted: secret]',
      'wifi "[redacted: secret]"',
      `Nobody but ${kept} knows it.`,
      'notes',
    ])
    expect(turns.at(-1)?.files).toEqual(['notes/ada.md'])
    const bytesOf = (part: object | undefined) => (part === undefined ? 0 : JSON.stringify(part).length)
    expect(conversation.bytes).toBe(
      turns.reduce((sum, { text, tool, files }) => sum + text.length + bytesOf(tool) + bytesOf(files), 0),
    )
    const { conversation: project } = await rest.readConversation({ params: { id: otherId }, query: {} })
    expect(project.title).toBe('On [redacted: secret]')
    const listed = (file: string) => rest.listConversations({ query: { file } })
    expect((await listed('ada.md')).conversations).toHaveLength(1)
    expect((await rest.searchTurns({ query: { query: kept } })).turns[0]?.text).toContain(kept)
  })

  test('a conversation leaves nothing', async () => {
    const id = await talk(alice, 'shop', [{ role: 'person', text: `Where is ${word}?` }], { title: word })
    expect(await placesOf(server(), word)).not.toEqual([])
    await alice.rest.eraseConversation({ params: { id } })
    expect(await placesOf(server(), word)).toEqual([])
  })
})

/** Stores the word in every field of an entity and around it; returns the entity. */
async function storeThroughEveryDoor(server: TestServer, alice: Person, other: string): Promise<string> {
  const { rest } = alice
  const { entity } = await rest.createEntity({
    body: {
      name: `The ${word}`,
      type: `${word} kind`,
      metadata: { [word]: word },
      observations: [
        `${word} was first`,
        { content: 'Second', metadata: { note: word } },
        `${word} `.repeat(3_000),
      ],
    },
    headers: { 'idempotency-key': 'once' },
  })
  const { id } = entity
  const [first] = entity.observations
  await rest.updateObservation({
    params: { id, observationId: first!.id },
    body: { content: `${word} was corrected` },
  })
  await rest.deleteObservation({ params: { id, observationId: entity.observations[1]!.id } })
  await rest.updateEntity({
    params: { id },
    body: { name: `Renamed ${word}`, type: `${word} kind`, aliases: [`Alias ${word}`] },
  })
  const { relation } = await rest.createRelation({
    body: { fromEntityId: id, toEntityId: other, type: `${word}s` },
  })
  await rest.deleteRelation({ params: { id: relation.id } })
  await rest.nameRegion({ params: { entityId: id }, body: { name: `Region of ${word}` } })
  await rest.createShare({ body: { view: { kind: 'entity', entityId: id } } })
  const line = {
    type: 'entity',
    name: `Renamed ${word}`,
    entityType: 'x',
    observations: [`${word} came by import`],
  }
  const relationLine = { type: 'relation', from: `Nobody of ${word}`, to: 'Nobody', relationType: 'x' }
  await rest.import({ body: `${JSON.stringify(line)}\n${JSON.stringify(relationLine)}` })
  const agent = await connectOverHttp(server, alice.apiKey, 'auto')
  const observations = [{ entityName: `Alias ${word}`, contents: [`${word} came by MCP`] }]
  await agent.callTool({ name: 'add_observations', arguments: { observations } })
  await agent.callTool({ name: 'recall', arguments: { query: `What is Renamed ${word}?` } })
  await agent.close()
  const key = await rest.createKey({ body: { name: 'proposing', writes: 'propose' } })
  await restWith(server, key.apiKey).createObservations({
    params: { id },
    body: { content: `${word} was proposed` },
  })
  await answerOfWebhook(server, alice)
  return id
}

/** A receiver that sent the event back, as if it had been called. */
async function answerOfWebhook(server: TestServer, { rest }: Person): Promise<void> {
  const { webhook } = await rest.createWebhook({ body: { url: 'https://receiver.invalid/' } })
  await rest.testWebhook({ params: { id: webhook.id } })
  await sql`update webhook_deliveries set space_id = 1, answer = ${`got ${word}`}`.execute(server.ctx.db)
}

/** The tables, and the files of the database, that contain a word. */
async function placesOf(server: TestServer, sought: string): Promise<string[]> {
  const { db, dialect } = server.ctx
  const tables =
    dialect.name === 'sqlite'
      ? sql<{
          name: string
        }>`select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'`
      : sql<{
          name: string
        }>`select table_name as name from information_schema.tables where table_schema = current_schema()`
  const found: string[] = []
  for (const { name } of (await tables.execute(db)).rows) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
    if (JSON.stringify(rows).toLowerCase().includes(sought)) found.push(name)
  }
  return dialect.name === 'sqlite' ? [...found, ...filesWith(server.config.dataDir, sought)] : found
}

const filesWith = (folder: string, sought: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('loci.db'))
    .filter((name) => readFileSync(join(folder, name), 'latin1').toLowerCase().includes(sought))
