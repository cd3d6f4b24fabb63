import { describe, expect, test } from 'vitest'
import { linesOfExport, readExport } from '../../../../test/source-files.ts'

type Said = { role?: string; parts?: unknown[]; type?: string; at?: number; more?: object }
const node = (parent: string | null, children: string[], said?: Said) => ({
  parent,
  children,
  message:
    said === undefined
      ? null
      : {
          author: { role: said.role ?? 'user' },
          create_time: said.at ?? null,
          content: { content_type: said.type ?? 'text', parts: said.parts ?? ['Hello'] },
          ...said.more,
        },
})
const noon = Date.UTC(2024, 4, 1, 12) / 1_000
const conversation = (mapping: object, more: object = {}) => ({
  conversation_id: 'c1',
  title: 'Tea',
  create_time: noon,
  mapping,
  ...more,
})
const one = (said: Said, more: object = {}) =>
  conversation({ root: node(null, ['a']), a: node('root', [], said) }, more)
const linesOf = (...conversations: object[]) => linesOfExport({ 'conversations.json': conversations })
const textsOf = async (...conversations: object[]) =>
  (await linesOf(...conversations)).flatMap(({ observations = [] }) =>
    observations.map(({ content }: { content: string }) => content),
  )

describe('a conversation of ChatGPT', () => {
  test('ends at the newest leaf if it does not say where', async () => {
    const mapping = {
      root: node(null, ['a', 'b']),
      a: node('root', [], { parts: ['New'], at: noon + 9 }),
      b: node('root', [], { parts: ['Old'], at: noon }),
    }
    expect(await textsOf(conversation(mapping))).toEqual(['User: New'])
    expect(await textsOf(conversation(mapping, { current_node: 'gone' }))).toEqual(['User: New'])
  })

  test('is read past parts and nodes that are null or no text', async () => {
    const mapping = { root: null, a: node('root', [], { parts: [null, 5, '', 'Hi', true] }) }
    const [line] = await linesOf(conversation(mapping, { current_node: 'a' }))
    expect(line?.observations).toMatchObject([{ content: 'User: Hi' }])
    expect(line).not.toHaveProperty('problem')
  })

  test.each([
    ['no title', { title: null }, 'New chat'],
    ['a title of spaces', { title: '  ' }, 'New chat'],
    ['a title of half a character', { title: 'Tea \ud83e' }, 'Tea \ufffd'],
    ['a very long title', { title: '茶'.repeat(900) }, '茶'.repeat(512)],
  ])('with %s has a name that can be stored', async (_, more, name) => {
    expect((await linesOf(one({}, more)))[0]?.name).toBe(name)
  })

  test.each([
    ['a time before 1970', -5],
    ['a time that is text', 'yesterday'],
    ['a time beyond all calendars', 1e15],
  ])('with %s has none', async (_, time) => {
    expect((await linesOf(one({}, { create_time: time })))[0]).not.toHaveProperty('createdAt')
  })

  test('that was cut off in the download is refused, with the name of the file', async () => {
    const text = JSON.stringify([one({}), one({})]).slice(0, -20)
    await expect(linesOfExport({ 'conversations.json': text })).rejects.toThrow(
      'conversations.json ends too early',
    )
  })

  test('behind a byte order mark is read', async () => {
    const text = `\ufeff${JSON.stringify([one({})])}`
    expect(await linesOfExport({ 'conversations.json': text })).toHaveLength(1)
  })

  test('ends even if its tree leads back into itself', async () => {
    const mapping = { a: node('b', ['b'], { parts: ['A'] }), b: node('a', ['a'], { parts: ['B'] }) }
    expect(await textsOf(conversation(mapping, { current_node: 'b' }))).toEqual(['User: A', 'User: B'])
  })

  test.each<[string, Said]>([
    ['instructions', { role: 'system' }],
    ['tool results', { role: 'tool' }],
    ['calls of tools', { role: 'assistant', more: { recipient: 'browser' } }],
    ['thoughts', { role: 'assistant', type: 'thoughts' }],
    ['code', { role: 'assistant', type: 'code' }],
    ['hidden messages', { more: { metadata: { is_visually_hidden_from_conversation: true } } }],
    ['empty messages', { parts: ['', ' '] }],
  ])('leaves %s out', async (_, said) => {
    expect(await linesOf(one(said))).toEqual([
      {
        type: 'problem',
        message: 'The conversation has no messages',
        file: 'conversations.json',
        item: 1,
      },
    ])
  })

  test('joins the parts of a message, and counts parts that are not text', async () => {
    const parts = ['Look', { content_type: 'image_asset_pointer' }, { text: 'a transcript' }, { audio: 1 }]
    const [line] = await linesOf(one({ type: 'multimodal_text', parts }))
    expect(line!.observations[0].content).toBe('User: Look\na transcript')
    expect(line!.problem).toEqual(['2 attachments were left out'])
  })

  test('dates messages without a time by its own, and names the model of answers', async () => {
    const said = { role: 'assistant', more: { metadata: { model_slug: 'gpt-4o' } } }
    const [line] = await linesOf(one(said, { update_time: noon + 60 }))
    expect(line).toMatchObject({
      createdAt: '2024-05-01T12:00:00.000Z',
      updatedAt: '2024-05-01T12:01:00.000Z',
      observations: [
        { createdAt: '2024-05-01T12:00:00.000Z', metadata: { role: 'assistant', model: 'gpt-4o' } },
      ],
    })
  })

  test.each([
    [{ title: null }, 'New chat', 'c1'],
    [{ conversation_id: undefined, id: 'old' }, 'Tea', 'old'],
    [{ conversation_id: undefined }, 'Tea', 'Tea 2024-05-01T12:00:00.000Z'],
  ])('with %j is named %s and has the id %s', async (more, name, conversationId) => {
    expect(await linesOf(one({}, more))).toMatchObject([
      { name, metadata: { source: 'chatgpt', conversationId } },
    ])
  })

  test('alone in a file is read too', async () => {
    const content = one({ parts: ['Alone'] }, { current_node: 'a' })
    expect(await readExport({ 'chat.json': content })).toMatchObject({
      format: 'chatgpt',
      lines: [{ name: 'Tea', observations: [{ content: 'User: Alone' }] }],
    })
  })
})

test('conversations in several files have different names', async () => {
  const lines = await linesOfExport({
    'conversations-000.json': [one({})],
    'conversations-001.json': [one({}, { conversation_id: 'c2', create_time: noon + 86_400 })],
  })
  expect(lines.map(({ name, file }) => [name, file])).toEqual([
    ['Tea', 'conversations-000.json'],
    ['Tea (2024-05-02)', 'conversations-001.json'],
  ])
})

test('saved memories are observations of one entity, dated by the file', async () => {
  const memories = [
    { id: '1', content: 'Likes tea', updated_at: '2024-05-01T10:00:00Z' },
    { id: '2', content: 'Lives in London', created_at: '2024-04-01T10:00:00Z', updated_at: null },
    { id: '3', content: '  ' },
  ]
  expect(await linesOfExport({ 'memories.json': { memories } })).toMatchObject([
    { type: 'entity', name: 'ChatGPT memories', entityType: 'memories' },
    { observations: [{ content: 'Likes tea', createdAt: '2024-05-01T10:00:00.000Z' }] },
    { observations: [{ content: 'Lives in London', createdAt: '2024-04-01T10:00:00.000Z' }] },
    { type: 'problem', message: 'The memory has no text', item: 3 },
  ])
})
