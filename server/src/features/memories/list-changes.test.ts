import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

type Call = { number: number; at: string; by: string; what: string; entities: string[]; details?: string[] }
type Listed = { notice?: string; changes: Call[] }

const minute = 60_000

describeOnBothDatabases('the changes of a memory', (server) => {
  let person: Person
  let agent: Client
  let startedAt: number
  beforeAll(async () => {
    server().clock.now = Date.parse('2026-11-20T10:31:07.123Z')
    startedAt = server().clock.now
    person = await server().signUp()
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
    await agent.listTools()
    const ada = { name: 'Ada', entityType: 'person', observations: ['Lives in Porto', 'Likes tea'] }
    await call('create_entities', {
      entities: [ada, { name: 'Acme', entityType: 'company', observations: [] }],
    })
    await call('create_relations', { relations: [{ from: 'Ada', to: 'Acme', relationType: 'works_at' }] })
    await call('delete_observations', {
      deletions: [{ entityName: 'Ada', observations: ['Lives in Porto'] }],
    })
    await call('update_entity', { name: 'Ada', newName: 'Ada Lovelace' })
    await call('update_entity', { name: 'Ada Lovelace', metadata: { born: 1815 } })
    await call('delete_entities', { entityNames: ['Acme'] })
    await person.rest.createEntity({ body: { name: 'Web', type: 'thing', observations: ['Made by hand'] } })
    server().clock.now += 24 * 60 * minute
    const contents = Array.from({ length: 12 }, (_, i) => `Fact ${i}`)
    await call('add_observations', { observations: [{ entityName: 'Web', contents }] })
    await call('delete_entities', { entityNames: ['Web'] })
  })
  afterAll(() => agent.close())

  /** One call per minute. */
  async function call(name: string, args: Record<string, unknown>) {
    server().clock.now += minute
    const { isError, content } = await agent.callTool({ name, arguments: args })
    expect(isError, JSON.stringify(content)).toBeFalsy()
  }

  async function list(args: Record<string, unknown> = {}): Promise<Listed & { text: string }> {
    const { isError, content, structuredContent } = await agent.callTool({
      name: 'list_changes',
      arguments: args,
    })
    expect(isError, JSON.stringify(content)).toBeFalsy()
    const [text] = content.map((part) => (part.type === 'text' ? part.text : ''))
    return { ...(structuredContent as Listed), text: text ?? '' }
  }

  const whatOf = ({ changes }: Listed) =>
    changes.map(({ what, entities }) => `${what}: ${entities.join(', ')}`)

  test('are listed newest first, one line per call', async () => {
    const listed = await list()
    expect(whatOf(listed)).toEqual([
      'deleted 13 observations, deleted 1 entity: Web',
      'added 12 observations: Web',
      'created 1 entity, added 1 observation: Web',
      'deleted 1 relation, deleted 1 entity: Ada Lovelace, Acme',
      'updated 1 entity: Ada Lovelace',
      'updated 1 entity: Ada Lovelace',
      'deleted 1 observation: Ada Lovelace',
      'created 1 relation: Ada Lovelace, Acme',
      'created 2 entities, added 2 observations: Ada Lovelace, Acme',
    ])
    expect(listed.notice).toBeUndefined()
    expect(listed.changes[0]).toMatchObject({ at: '2026-11-21T10:39Z', by: 'test-agent' })
    expect(listed.changes[2]?.by).toBe('session')
    const [first = ''] = listed.text.split('\n')
    const { number } = listed.changes[0]!
    expect(first).toBe(
      `#${number} 2026-11-21T10:39Z test-agent: deleted 13 observations, deleted 1 entity: Web`,
    )
  })

  test('show what was deleted with its id and text, even if its entity is gone', async () => {
    const { changes } = await list()
    const details = changes.flatMap((change) => change.details ?? [])
    expect(details).toContainEqual(expect.stringMatching(/^- Ada Lovelace: "Lives in Porto" \[obs_\w+\]$/))
    expect(details).toContainEqual(expect.stringMatching(/^\+ Web: "Made by hand" \[obs_/))
    expect(details).toContain('Ada Lovelace (person) (was Ada (person))')
    expect(details).toContain('- Ada Lovelace -> works_at -> Acme')
    expect(details).toContain('Ada Lovelace: metadata is now {"born":1815}')
    expect(details).toContain('- Web (thing)')
    // The deletion is not in the range.
    const older = await list({ before: changes[1]?.number })
    expect(whatOf(older)[0]).toBe('created 1 entity, added 1 observation: Web')
  })

  test('are listed for one entity, under its present or former name, even if it is gone', async () => {
    expect(whatOf(await list({ entity: 'Ada Lovelace' }))).toEqual([
      'deleted 1 relation: Ada Lovelace, Acme',
      'updated 1 entity: Ada Lovelace',
      'updated 1 entity: Ada Lovelace',
      'deleted 1 observation: Ada Lovelace',
      'created 1 relation: Ada Lovelace, Acme',
      'created 1 entity, added 2 observations: Ada Lovelace',
    ])
    expect(whatOf(await list({ entity: 'Web' })).length).toBe(3)
    expect(whatOf(await list({ entity: 'Acme' })).length).toBe(3)
    const nothing = await list({ entity: 'Zebra' })
    expect([nothing.changes, nothing.text]).toEqual([[], 'No changes.'])
  })

  test('are listed for one agent; an unknown agent gets the known ones', async () => {
    expect((await list({ by: 'TEST-AGENT' })).changes.length).toBe(8)
    expect(whatOf(await list({ by: 'session' }))).toEqual(['created 1 entity, added 1 observation: Web'])
    const { notice, text } = await list({ by: 'claude' })
    expect(notice).toBe('Nothing was changed by "claude"; changes are by test-agent, session.')
    expect(text).toContain(notice)
  })

  test('are listed for a period', async () => {
    expect((await list({ since: '2026-11-21' })).changes.length).toBe(2)
    expect((await list({ until: '2026-11-20' })).changes.length).toBe(7)
    expect((await list({ until: '2026-11-19' })).changes).toEqual([])
    const [third] = (await list({ limit: 3 })).changes.slice(2)
    const from = new Date(startedAt + 6 * minute).toISOString()
    expect((await list({ since: from, until: third?.at })).changes.length).toBe(2)
  })

  test('can be listed to the end in pages of any size', async () => {
    const all = (await list()).changes
    const seen: Call[] = []
    let page = await list({ limit: 2 })
    seen.push(...page.changes)
    while (page.notice !== undefined) {
      const [, goOn = ''] = /list_changes (\{.*\})/.exec(page.notice) ?? []
      page = await list({ ...JSON.parse(goOn), limit: 2 })
      seen.push(...page.changes)
    }
    expect(seen).toEqual(all)
    const ofEntity = await list({ entity: 'Web', limit: 1 })
    expect(ofEntity.notice).toContain(`{"before":${ofEntity.changes[0]?.number},"entity":"Web"}`)
  })

  test('are searched a few thousand at a time, and the answer says so', async () => {
    const other = await server().signUp('bob')
    const theirs = await connectOverHttp(server(), other.apiKey, 'auto')
    const write = async (name: string, args: Record<string, unknown>) => {
      server().clock.now += minute
      expect((await theirs.callTool({ name, arguments: args })).isError).toBeFalsy()
    }
    const entities = ['0', 'Notes'].map((name) => ({ name, entityType: 'thing', observations: ['x'] }))
    await write('create_entities', { entities })
    for (const from of [0, 1_000]) {
      const contents = Array.from({ length: 1_000 }, (_, i) => `Note ${from + i}`)
      await write('add_observations', { observations: [{ entityName: 'Notes', contents }] })
    }
    const { structuredContent } = await theirs.callTool({ name: 'list_changes', arguments: { entity: '0' } })
    expect(structuredContent).toEqual({
      notice:
        'This is what the newest 2000 changes hold; look further back with list_changes {"before":5,"entity":"0"}.',
      changes: [],
      newest: 2_004,
    })
    const further = await theirs.callTool({ name: 'list_changes', arguments: { before: 5, entity: '0' } })
    expect(further.structuredContent).toMatchObject({
      changes: [{ what: 'created 1 entity, added 1 observation', entities: ['0'], number: 1 }],
    })
    await theirs.close()
  })

  test('show names and facts that an entity took over or gave back', async () => {
    const entity = (name: string) => ({ name, entityType: 'person', observations: [`${name} sings`] })
    await call('create_entities', { entities: [entity('Bob'), entity('Robert')] })
    await call('merge_entities', { names: ['Bob'], into: 'Robert' })
    const { changes } = await list({ limit: 1 })
    expect(changes[0]?.details).toContain('Robert: other names are now ["Bob"]')
    expect(changes[0]?.details).toContainEqual(
      expect.stringMatching(/^Robert: "Bob sings" \[obs_\w+\] was moved here$/),
    )
    await call('undo_changes', { number: changes[0]!.number })
    const [undone] = (await list({ limit: 1 })).changes
    expect(undone?.details).toContain('Robert: other names are now []')
    expect(undone?.details).toContainEqual(expect.stringMatching(/^Bob: "Bob sings" .* was moved here$/))
  })
})
