import { expect, test } from 'vitest'
import { type Answer, describeOnBothDatabases, type Person, type TestServer } from '../../../test/harness.ts'
import {
  chatgptFiles,
  chatgptMemories,
  claudeFiles,
  graphitiFile,
  graphitiTables,
  mem0File,
  vaultFiles,
} from '../../../test/other-exports.ts'
import { zipOf } from '../../../test/zip-of.ts'

type Body = string | Buffer

/** Sends it as raw bytes. */
async function send(server: TestServer, { token }: Person, body: Body, type: string, path = '/api/import') {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: Buffer.from(body),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

/** The stored graph, by entity name. */
async function graphOf({ rest }: Person) {
  const { entities } = await rest.listEntities({ query: { include: 'observations' } })
  const { relations } = await rest.listRelations()
  return {
    entities: Object.fromEntries(entities.map((entity) => [entity.name, entity])),
    relations: relations
      .map(({ fromEntity, type, toEntity }) => `${fromEntity.name} ${type} ${toEntity.name}`)
      .sort(),
  }
}

const texts = (entity: { observations?: { content: string }[] | undefined } | undefined) =>
  entity?.observations?.map(({ content }) => content)

describeOnBothDatabases('imports of other exports', (server) => {
  test('ChatGPT conversations come with the branch shown last, their times and their oddities', async () => {
    const alice = await server().signUp()
    const archive = await zipOf(chatgptFiles)
    const { status, body } = await send(server(), alice, archive, 'application/zip')
    expect([status, body.import]).toMatchObject([
      200,
      { format: 'chatgpt', state: 'finished', entities: { created: 2 }, observations: { created: 3 } },
    ])
    expect(body.import.problems.first).toEqual([
      { file: 'conversations.json', item: 1, message: 'The conversation has no messages' },
      { file: 'conversations.json', item: 3, message: '1 message of another branch was left out' },
      { file: 'conversations.json', item: 3, message: '1 attachment was left out' },
    ])
    const { entities } = await graphOf(alice)
    expect(Object.keys(entities).sort()).toEqual(['Trip to Rome', 'Trip to Rome (2024-05-02)'])
    expect(entities['Trip to Rome']).toMatchObject({
      type: 'conversation',
      metadata: { source: 'chatgpt', conversationId: 'c-rome' },
      createdAt: '2024-05-01T10:00:00.000Z',
      updatedAt: '2024-05-01T10:01:00.500Z',
      observations: [
        {
          content: 'User: How do I get to Rome?',
          createdAt: '2024-05-01T10:00:02.000Z',
          metadata: { role: 'user' },
        },
        { content: 'ChatGPT: By night train.', metadata: { role: 'assistant', model: 'gpt-4o' } },
      ],
    })
    const again = await send(server(), alice, archive, 'application/octet-stream')
    expect(again.body.import).toMatchObject({
      entities: { created: 0, existing: 2 },
      observations: { created: 0 },
    })
    await send(server(), alice, chatgptMemories, 'application/json', '/api/import?fileName=memories.json')
    expect(texts((await graphOf(alice)).entities['ChatGPT memories'])).toEqual(['Prefers trains to planes'])
  })

  test('a Claude export brings conversations, projects with their documents, and memories', async () => {
    const alice = await server().signUp()
    const { body } = await send(server(), alice, await zipOf(claudeFiles), 'application/zip')
    expect(body.import).toMatchObject({ format: 'claude', state: 'finished', relations: { created: 1 } })
    expect(body.import.problems.first.map(({ message }: { message: string }) => message).sort()).toEqual([
      '1 attachment was left out',
      'The conversation has no messages',
      'The memories of project p-9 stand alone: it is not in the export',
    ])
    const { entities, relations } = await graphOf(alice)
    expect(relations).toEqual(['Cooling of the engine part_of Engine'])
    expect(texts(entities['Cooling of the engine'])).toEqual([
      'How to cool it',
      'User: How do I cool it?',
      'Claude: With water.',
    ])
    expect(texts(entities.Engine)).toEqual([
      'The analytical engine',
      'Answer briefly',
      'It has 4,000 gears',
      'The engine is behind schedule.',
    ])
    expect(texts(entities['Claude memories'])).toEqual([
      'Ada writes programs.',
      '- likes trains',
      '- lives in London',
    ])
  })

  test('a vault comes with folders as types, aliases, tags, dates and typed links', async () => {
    const alice = await server().signUp()
    const { body } = await send(server(), alice, await zipOf(vaultFiles), 'application/zip')
    expect(body.import).toMatchObject({ format: 'markdown', entities: { created: 4 } })
    expect(body.import.problems.first).toEqual([
      { file: 'People/Ada Lovelace.md', line: 10, message: 'The relation names Nobody, which is not there' },
    ])
    const { entities, relations } = await graphOf(alice)
    expect(entities['Ada Lovelace']).toMatchObject({
      type: 'person',
      aliases: ['Ada', 'Countess of Lovelace'],
      metadata: { tags: ['maths', 'pioneer'] },
      createdAt: '1843-07-10T09:00:00.000Z',
      updatedAt: '1843-07-11T00:00:00.000Z',
    })
    expect(entities['2024-05-01']).toMatchObject({
      type: 'daily note',
      createdAt: '2024-05-01T00:00:00.000Z',
    })
    expect(entities['Analytical Engine']).toMatchObject({ type: 'machine' })
    expect(relations).toEqual([
      '2024-05-01 links_to Ada Lovelace',
      'Ada Lovelace employer Analytical Engine',
      'Ada Lovelace knows Charles Babbage',
      'Ada Lovelace links_to Analytical Engine',
      'Ada Lovelace part_of Analytical Engine',
      'Charles Babbage links_to Ada Lovelace',
    ])
  })

  test('mem0 memories become observations of whom they are about, with the relations of its graph', async () => {
    const alice = await server().signUp()
    const { body } = await send(
      server(),
      alice,
      mem0File,
      'application/json',
      '/api/import?fileName=all.json',
    )
    expect(body.import).toMatchObject({
      format: 'mem0',
      entities: { created: 4 },
      observations: { created: 3 },
    })
    expect(body.import.problems.first).toEqual([
      { file: 'all.json', item: 4, message: 'The memory has no text' },
    ])
    const { entities, relations } = await graphOf(alice)
    expect(entities.ada).toMatchObject({
      type: 'person',
      observations: [
        {
          content: 'Likes trains',
          createdAt: '2024-07-01T16:00:00.123Z',
          metadata: { mood: 'happy', categories: ['travel'] },
        },
        { content: 'Lives in London' },
      ],
    })
    expect(entities.engine).toMatchObject({ type: 'agent' })
    expect(relations).toEqual(['ada knows babbage', 'ada lives_in london'])
    const again = await send(server(), alice, mem0File, 'application/json')
    expect(again.body.import).toMatchObject({
      entities: { created: 0 },
      observations: { created: 0, existing: 3 },
    })
  })

  test('Graphiti nodes and edges become entities, relations and facts with their validity times', async () => {
    const [alice, bob] = [await server().signUp(), await server().signUp('bob')]
    const { body } = await send(server(), alice, graphitiFile, 'application/json')
    expect(body.import).toMatchObject({
      format: 'graphiti',
      entities: { created: 2 },
      relations: { created: 1 },
    })
    expect(body.import.problems.first).toEqual([
      { file: 'file', item: 2, message: 'The edge names the node n9, which is not in the export' },
    ])
    const { entities, relations } = await graphOf(alice)
    expect(relations).toEqual(['Ada works_on Engine'])
    expect(entities.Ada).toMatchObject({
      type: 'person',
      metadata: { born: 1815, source: 'graphiti' },
      createdAt: '2024-08-01T00:00:00.000Z',
      observations: [
        { content: 'A mathematician' },
        {
          content: 'Ada works on the engine',
          createdAt: '2024-08-02T00:00:00.000Z',
          metadata: { about: 'Engine', validAt: '1843-01-01T00:00:00Z' },
        },
      ],
    })
    await send(server(), bob, await zipOf(graphitiTables), 'application/zip')
    const table = await graphOf(bob)
    expect([texts(table.entities.Ada), table.relations]).toEqual([
      ['A "great"\nmathematician', 'Ada works on it'],
      ['Ada works_on Engine'],
    ])
  })

  test('a preview lists what would come, what exists already and what is odd, and stores nothing', async () => {
    const alice = await server().signUp()
    await alice.rest.createEntity({ body: { name: 'ada', type: 'person', observations: ['Likes trains'] } })
    await alice.rest.createEntity({ body: { name: 'london', type: 'city' } })
    const path = '/api/import/preview?fileName=all.json'
    const { status, body } = await send(server(), alice, mem0File, 'application/json', path)
    expect([status, body.preview]).toMatchObject([
      200,
      {
        ...{ format: 'mem0', isWhole: true, entities: { created: 2, existing: 2 } },
        observations: { created: 2, existing: 1 },
        relations: { created: 2, existing: 0 },
        entityTypes: [
          { type: 'agent', count: 1 },
          { type: 'concept', count: 1 },
        ],
        sample: [{ name: 'engine', type: 'agent' }, { name: 'babbage' }],
        existing: [{ name: 'ada', type: 'person' }, { name: 'london' }],
        problems: { total: 1, first: [{ file: 'all.json', item: 4, message: 'The memory has no text' }] },
      },
    ])
    expect((await alice.rest.listEntities({ query: {} })).total).toBe(2)
    await send(server(), alice, mem0File, 'application/json')
    const after = await send(server(), alice, mem0File, 'application/json', path)
    expect(after.body.preview).toMatchObject({
      ...{
        entities: { created: 0, existing: 4 },
        observations: { created: 0 },
        relations: { created: 0, existing: 2 },
      },
    })
    const vault = await zipOf({ ...vaultFiles, 'data.json': '{"x": 1}' })
    const { body: ofVault } = await send(server(), alice, vault, 'application/zip', '/api/import/preview')
    expect(ofVault.preview).toMatchObject({
      ...{ format: 'markdown', skipped: { total: 1, first: ['data.json'] } },
      problems: { first: [{ line: 10, message: 'The relation names Nobody, which is not there' }] },
    })
  })

  test('an unknown, broken, too deep or hostile file is refused, and nothing is stored', async () => {
    const alice = await server().signUp()
    const refused = async (body: Body, type = 'application/json') => {
      const answer = await send(server(), alice, body, type)
      return [answer.status, answer.body.error?.message]
    }
    expect(await refused('{"a": 1}')).toEqual([400, expect.stringMatching(/^Its format was not recognised/)])
    expect(await refused('just text')).toEqual([400, expect.stringMatching(/^Its format was not recognised/)])
    expect(await refused('[{"mapping": {"a": {}}}')).toEqual([400, 'file ends too early'])
    expect(await refused('['.repeat(100_000))).toEqual([400, 'file is nested deeper than 100 levels'])
    const archive = await zipOf({ 'conversations.json': '[{"mapping":{"a":{}}}]' })
    expect(await refused(archive.subarray(0, 60), 'application/zip')).toEqual([
      400,
      expect.stringMatching(/^The archive cannot be read/),
    ])
    const outside = await zipOf({ '../../etc/evil.md': 'x' })
    expect(await refused(outside, 'application/zip')).toEqual([
      400,
      expect.stringMatching(/invalid relative path/),
    ])
    expect((await alice.rest.listEntities({ query: {} })).total).toBe(0)
  })
})
