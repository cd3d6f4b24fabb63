import { describe, expect, test } from 'vitest'
import { linesOfExport, readExport } from '../../../../test/source-files.ts'

const message = (more: object = {}) => ({ sender: 'human', text: 'Hello', ...more })
const conversation = (more: object = {}) => ({
  uuid: 'k1',
  name: 'Tea',
  created_at: '2024-05-01T10:00:00Z',
  chat_messages: [message()],
  ...more,
})
const project = (more: object = {}) => ({
  uuid: 'p1',
  name: 'Engine',
  prompt_template: '',
  docs: [],
  ...more,
})
const said = async (...messages: object[]) => {
  const [line] = await linesOfExport({ 'conversations.json': [conversation({ chat_messages: messages })] })
  return line?.observations?.map(({ content }: { content: string }) => content)
}

describe('a conversation of Claude', () => {
  test.each([
    ['the old form', message({ text: 'Hi' }), 'User: Hi'],
    ['an answer', message({ sender: 'assistant', text: 'Yes' }), 'Claude: Yes'],
    [
      'blocks',
      message({
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
      }),
      'User: A\nB',
    ],
    [
      'thoughts and calls of tools',
      message({
        text: 'x',
        content: [{ type: 'thinking', text: 'hm' }, { type: 'text', text: 'A' }, { type: 'tool_use' }],
      }),
      'User: A',
    ],
    [
      'blocks without text',
      message({ text: 'Plain', content: [{ type: 'text', text: ' ' }] }),
      'User: Plain',
    ],
  ])('has messages in %s', async (_, one, text) => {
    expect(await said(one)).toEqual([text])
  })

  test.each([{ project: { uuid: 'p1' } }, { project_uuid: 'p1' }])('with %j is part of it', async (more) => {
    const lines = await linesOfExport({ 'projects.json': [project()], 'c.json': [conversation(more)] })
    expect(lines.at(-1)).toMatchObject({
      type: 'relation',
      from: 'Tea',
      to: 'Engine',
      relationType: 'part_of',
    })
  })

  test('of a project that is not in the export stands alone', async () => {
    const lines = await linesOfExport({ 'c.json': [conversation({ project_uuid: 'gone' })] })
    expect(lines.map(({ type }) => type)).toEqual(['entity'])
  })
})

describe('a project of Claude', () => {
  test('has its description, instructions and documents as observations', async () => {
    const docs = [
      { filename: 'plan.md', content: 'Brass', created_at: '2024-02-01T00:00:00Z' },
      { filename: 'empty.md', content: '' },
      { filename: 'old.md', content: 'Iron' },
    ]
    const about = {
      description: 'A machine',
      prompt_template: 'Be brief',
      created_at: '2024-01-01T00:00:00Z',
      docs,
    }
    const [line] = await linesOfExport({ 'projects/p1.json': project(about) })
    expect(line).toMatchObject({ name: 'Engine', entityType: 'project', metadata: { projectId: 'p1' } })
    expect(line!.observations).toEqual([
      { content: 'A machine', createdAt: '2024-01-01T00:00:00.000Z' },
      { content: 'Be brief', createdAt: '2024-01-01T00:00:00.000Z' },
      { content: 'Brass', createdAt: '2024-02-01T00:00:00.000Z', metadata: { document: 'plan.md' } },
      { content: 'Iron', createdAt: '2024-01-01T00:00:00.000Z', metadata: { document: 'old.md' } },
    ])
  })

  test('in a file of its own is read with all its documents', async () => {
    const docs = ['a', 'b', 'c'].map((content) => ({ filename: `${content}.md`, content }))
    const [line] = await linesOfExport({ 'projects/p1.json': project({ docs }) })
    expect(line!.observations.map(({ content }: { content: string }) => content)).toEqual(['a', 'b', 'c'])
  })

  test('and a conversation of the same name get different names', async () => {
    const lines = await linesOfExport({
      'projects.json': [project({ name: 'Tea', created_at: '2024-01-01T00:00:00Z' })],
      'c.json': [conversation()],
    })
    expect(lines.map(({ name }) => name)).toEqual(['Tea', 'Tea (2024-05-01)'])
  })
})

describe('memories of Claude', () => {
  test('are paragraphs and items without their headings', async () => {
    const text = '**Work**\n\nWrites notes.\nOn paper.\n\n# Home\n- Tea\n- Cats\n* Dogs\n\n**bold** start'
    const [line] = await linesOfExport({ 'memories.json': [{ conversations_memory: text }] })
    expect(line).toMatchObject({ name: 'Claude memories', entityType: 'memories' })
    expect(line!.observations).toEqual(
      ['Writes notes.\nOn paper.', '- Tea', '- Cats', '* Dogs', '**bold** start'].map((content) => ({
        content,
      })),
    )
  })

  test('of a project belong to it', async () => {
    const lines = await linesOfExport({
      'projects.json': [project()],
      'memories.json': [{ conversations_memory: '', project_memories: { p1: 'Brass wheels', p2: ' ' } }],
    })
    expect(lines.slice(1)).toMatchObject([{ name: 'Engine', observations: [{ content: 'Brass wheels' }] }])
  })

  test('of a project that is not in the export say so', async () => {
    const lines = await linesOfExport({ 'memories.json': [{ project_memories: { p9: 'Brass' } }] })
    expect(lines).toMatchObject([
      { type: 'problem', message: 'The memories of project p9 stand alone: it is not in the export' },
      { name: 'Project p9', entityType: 'project' },
    ])
  })
})

test('the list of users is recognised as a part with nothing to import', async () => {
  const users = [{ uuid: 'u1', full_name: 'Ada', email_address: 'ada@example.com' }]
  expect(await readExport({ 'users.json': users, 'c.json': [conversation()] })).toMatchObject({
    format: 'claude',
    unused: [],
    lines: [{ name: 'Tea' }],
  })
})
