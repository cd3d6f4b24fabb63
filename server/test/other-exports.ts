/* Small exports of other programs, written after public descriptions of them (named in the importers in
   features/imports/formats). */

const node = (id: string, parent: string | null, children: string[], message: object | null) => ({
  [id]: { id, parent, children, message },
})
const said = (role: string, text: unknown, seconds: number, more: object = {}) => ({
  id: `m${seconds}`,
  author: { role, name: null, metadata: {} },
  create_time: seconds,
  content: { content_type: 'text', parts: [text].flat() },
  metadata: {},
  recipient: 'all',
  ...more,
})

const may = Date.UTC(2024, 4, 1, 10) / 1000

/** A conversation with an abandoned branch, a hidden message, a tool and a picture. */
const romeTrip = {
  title: 'Trip to Rome',
  create_time: may,
  update_time: may + 60.5,
  conversation_id: 'c-rome',
  current_node: 'n5',
  mapping: {
    ...node('root', null, ['n0'], null),
    ...node('n0', 'root', ['n1', 'n2'], said('system', '', may)),
    ...node('n1', 'n0', [], said('user', 'Where is Rome?', may + 1)),
    ...node(
      'n2',
      'n0',
      ['n3'],
      said('user', ['How do I get to Rome?', { content_type: 'image_asset_pointer' }], may + 2),
    ),
    ...node('n3', 'n2', ['n4'], said('assistant', 'look it up', may + 3, { recipient: 'browser' })),
    ...node('n4', 'n3', ['n5'], said('tool', 'train times', may + 4)),
    ...node(
      'n5',
      'n4',
      [],
      said('assistant', 'By night train.', may + 5, { metadata: { model_slug: 'gpt-4o' } }),
    ),
  },
}
const sameTitle = {
  title: 'Trip to Rome',
  create_time: may + 86_400,
  id: 'c-rome-2',
  mapping: {
    ...node('root', null, ['n1'], null),
    ...node('n1', 'root', [], said('user', 'And back?', may + 86_401)),
  },
}
const empty = {
  title: 'Nothing',
  create_time: may,
  conversation_id: 'c-empty',
  current_node: 'root',
  mapping: node('root', null, [], null),
}

/** Newest first, as in a real export. */
export const chatgptFiles = {
  'conversations.json': JSON.stringify([empty, sameTitle, romeTrip]),
  'user.json': JSON.stringify({ id: 'user-1', email: 'ada@example.com' }),
  'chat.html': '<html></html>',
}
export const chatgptMemories = JSON.stringify({
  memories: [
    { id: '1', content: 'Prefers trains to planes', updated_at: '2024-06-01T08:00:00.123456Z' },
    { id: '2', content: '', updated_at: null },
  ],
})

export const claudeFiles = {
  'conversations.json': JSON.stringify([
    {
      uuid: 'k-1',
      name: 'Cooling of the engine',
      summary: 'How to cool it',
      created_at: '2025-02-03T04:05:06.789012Z',
      updated_at: '2025-02-03T05:00:00Z',
      account: { uuid: 'u-1' },
      project: { uuid: 'p-1', name: 'Engine' },
      chat_messages: [
        {
          uuid: 'a',
          text: 'How do I cool it?',
          content: [{ type: 'text', text: 'How do I cool it?' }],
          sender: 'human',
          created_at: '2025-02-03T04:05:07Z',
          attachments: [{ file_name: 'plan.pdf' }],
          files: [{ file_name: 'plan.pdf' }],
        },
        {
          uuid: 'b',
          text: '',
          content: [
            { type: 'thinking', thinking: 'water' },
            { type: 'text', text: 'With water.' },
          ],
          sender: 'assistant',
          created_at: '2025-02-03T04:05:08Z',
          attachments: [],
          files: [],
        },
      ],
    },
    { uuid: 'k-2', name: '', created_at: '2025-02-04T00:00:00Z', chat_messages: [] },
  ]),
  'projects.json': JSON.stringify([
    {
      uuid: 'p-1',
      name: 'Engine',
      description: 'The analytical engine',
      is_starter_project: false,
      prompt_template: 'Answer briefly',
      created_at: '2025-01-01T00:00:00Z',
      updated_at: '2025-01-02T00:00:00Z',
      docs: [
        {
          uuid: 'd',
          filename: 'gears.md',
          content: 'It has 4,000 gears',
          created_at: '2025-01-01T01:00:00Z',
        },
      ],
    },
  ]),
  'memories.json': JSON.stringify([
    {
      conversations_memory: '**Work context**\n\nAda writes programs.\n\n- likes trains\n- lives in London',
      project_memories: { 'p-1': 'The engine is behind schedule.', 'p-9': 'Of a project that is gone.' },
      account_uuid: 'u-1',
    },
  ]),
  'users.json': JSON.stringify([{ uuid: 'u-1', full_name: 'Ada', email_address: 'ada@example.com' }]),
}

export const vaultFiles = {
  '.obsidian/app.json': '{}',
  'People/Ada Lovelace.md': [
    '---',
    'aliases: [Ada, Countess of Lovelace]',
    'tags: [maths]',
    'created: 1843-07-10T09:00',
    'updated: 1843-07-11',
    'employer: "[[Analytical Engine]]"',
    '---',
    'Wrote the first program. #pioneer',
    '',
    'knows:: [[Charles Babbage|Babbage]], [[Nobody]]',
    'See [the engine](../Things/Analytical%20Engine.md) (part of:: [[Analytical Engine]]).',
  ].join('\n'),
  'People/Charles Babbage.md': 'Friend of [[Countess of Lovelace]].',
  'Things/Analytical Engine.md': '---\ntype: machine\n---\n- made of brass\n',
  '2024-05-01.md': 'Met [[Ada]].',
  'picture.png': 'not text',
}

export const mem0File = JSON.stringify({
  results: [
    {
      id: '1',
      memory: 'Likes trains',
      hash: 'x',
      metadata: { mood: 'happy' },
      categories: ['travel'],
      created_at: '2024-07-01T09:00:00.123456-07:00',
      updated_at: null,
      user_id: 'ada',
    },
    { id: '2', memory: 'Answers briefly', created_at: '2024-07-02T00:00:00Z', agent_id: 'engine' },
    { id: '3', memory: 'Lives in London', created_at: 'yesterday', user_id: 'ada' },
    { id: '4', memory: '', user_id: 'ada' },
  ],
  relations: [
    { source: 'ada', relationship: 'lives_in', target: 'london' },
    { source: 'ada', relationship: 'knows', destination: 'babbage' },
  ],
})

export const graphitiFile = JSON.stringify({
  nodes: [
    {
      uuid: 'n1',
      name: 'Ada',
      labels: ['Entity', 'Person'],
      summary: 'A mathematician',
      attributes: { born: 1815 },
      created_at: '2024-08-01T00:00:00Z',
    },
    { uuid: 'n2', name: 'Engine', labels: ['Entity'], summary: '', created_at: '2024-08-01T00:00:00Z' },
  ],
  edges: [
    {
      uuid: 'e1',
      name: 'WORKS_ON',
      fact: 'Ada works on the engine',
      source_node_uuid: 'n1',
      target_node_uuid: 'n2',
      created_at: '2024-08-02T00:00:00Z',
      valid_at: '1843-01-01T00:00:00Z',
      invalid_at: null,
    },
    { uuid: 'e2', name: 'KNOWS', fact: '', source_node_uuid: 'n1', target_node_uuid: 'n9', created_at: '' },
  ],
})

export const graphitiTables = {
  'nodes.csv':
    'uuid,name,labels,summary\r\nn1,Ada,"[\'Entity\', \'Person\']","A ""great""\nmathematician"\r\nn2,Engine,,\r\n',
  'edges.csv': 'uuid,source_node_uuid,target_node_uuid,name,fact\r\ne1,n1,n2,WORKS_ON,Ada works on it\r\n',
}
