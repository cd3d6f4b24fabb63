import { beforeEach, describe, expect, test } from 'vitest'
import { ask, expectNotShown, expectShown } from '../../../test/agent.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

describeOnBothDatabases('the past, for agents', (server) => {
  let person: Person
  let client: Awaited<ReturnType<typeof connectOverHttp>>
  const at = (time: string) => {
    server().clock.now = Date.parse(time)
  }

  beforeEach(async () => {
    at('2030-03-01T10:00:00Z')
    person = await server().signUp()
    client = await connectOverHttp(server(), person.apiKey, 'auto')
    await ask(client, 'create_entities', {
      entities: [
        {
          name: 'Falcon',
          entityType: 'project',
          observations: ['Falcon stores sessions in Redis', 'Falcon is written in Go'],
        },
        { name: 'Redis', entityType: 'tool', observations: ['Redis keeps data in memory'] },
        { name: 'Gone', entityType: 'tool', observations: ['Gone was used once'] },
      ],
    })
    await ask(client, 'create_relations', {
      relations: [{ from: 'Falcon', to: 'Redis', relationType: 'uses' }],
    })
    at('2030-05-10T10:00:00Z')
    const found = await ask(client, 'recall', { query: 'Falcon sessions Redis' })
    const [old] = found.structured.observations as { id: string }[]
    await ask(client, 'add_observations', {
      observations: [
        {
          entityName: 'Falcon',
          contents: [{ content: 'Falcon stores sessions in Postgres', replaces: [old!.id] }],
        },
      ],
    })
    at('2030-06-10T10:00:00Z')
    await ask(client, 'delete_observations', {
      deletions: [{ entityName: 'Falcon', observations: ['Falcon is written in Go'] }],
    })
    await ask(client, 'delete_relations', {
      relations: [{ from: 'Falcon', to: 'Redis', relationType: 'uses' }],
    })
    await ask(client, 'delete_entities', { entityNames: ['Gone'] })
    await ask(client, 'update_entity', { name: 'Falcon', newName: 'Kestrel' })
    at('2030-07-01T10:00:00Z')
  })

  const asked = {
    recall: { query: 'Where does Falcon store sessions?' },
    open_nodes: { names: ['Kestrel'] },
    explore_entity: { name: 'Kestrel' },
    read_graph: {},
  }

  describe.each(Object.entries(asked))('%s', (tool, args) => {
    test('answers with what was known then', async () => {
      const march = await ask(client, tool, { ...args, asOf: '2030-03-31' })
      expectShown(march, 'Falcon stores sessions in Redis', 'As of 2030-03-31T23:59Z')
      expectNotShown(march, 'Falcon stores sessions in Postgres')
      const may = await ask(client, tool, { ...args, asOf: '2030-05' })
      expectShown(may, 'Falcon stores sessions in Postgres')
      expectNotShown(may, 'Falcon stores sessions in Redis')
      if (tool !== 'recall') expectShown(may, 'Falcon is written in Go', 'uses')
      const now = await ask(client, tool, args)
      expectNotShown(now, 'Falcon is written in Go')
    })
  })

  test('a deleted fact is recalled, a deleted entity is read, and a former name leads to its entity', async () => {
    const may = { asOf: '2030-05-31' }
    expectShown(
      await ask(client, 'recall', { query: 'Which language is Falcon written in?', ...may }),
      'Falcon is written in Go',
    )
    expectShown(await ask(client, 'read_graph', may), 'Gone was used once')
    const opened = await ask(client, 'open_nodes', { names: ['Falcon', 'Gone', 'Nobody'], ...may })
    expectShown(opened, 'Gone was used once', 'Not there then: Nobody')
    expectShown(await ask(client, 'explore_entity', { name: 'Falcon' }), 'Kestrel')
    expect(opened.structured.entities).toMatchObject([{ name: 'Falcon' }, { name: 'Gone' }])
    expect(await ask(client, 'explore_entity', { name: 'Gone', asOf: '2030-01-01' })).toMatchObject({
      isError: true,
    })
  })

  test('a session lists what changed after its own mark', async () => {
    const { structured } = await ask(client, 'list_changes', { limit: 1 })
    const after = structured.newest
    expect((await ask(client, 'list_changes', { after })).structured).toMatchObject({
      changes: [],
      newest: after,
    })
    const addition = { entityName: 'Kestrel', contents: ['Kestrel has a new owner'] }
    await ask(client, 'add_observations', { observations: [addition] })
    const since = await ask(client, 'list_changes', { after })
    expect(since.structured.changes).toHaveLength(1)
    expectShown(since, 'Kestrel has a new owner')
    expect(since.text).toContain(`#${since.structured.newest} is the newest change`)
    const next = await ask(client, 'list_changes', { after: since.structured.newest })
    expect(next.structured.changes).toEqual([])
  })

  test('what is longer than an answer says how to continue', async () => {
    const entities = Array.from({ length: 60 }, (_, i) => ({
      name: `Long ${i}`,
      entityType: 'text',
      observations: [`${i} ${'long words '.repeat(100)}`],
    }))
    await ask(client, 'create_entities', { entities })
    const names = new Set<string>()
    for (let after: string | undefined, left = 10; left > 0; left--) {
      const { structured, text } = await ask(client, 'read_graph', {
        asOf: '2030-07-02',
        ...(after && { after }),
      })
      for (const { name } of structured.entities as { name: string }[]) names.add(name)
      after = /"after":"([^"]+)"/.exec(text.replaceAll('\\"', '"'))?.[1]
      if (after === undefined) break
    }
    expect(names.size).toBe(62)
  })
})
