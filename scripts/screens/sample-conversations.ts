import type { FactOfEntity } from '@loci/contract/cited-files'
import type { ConversationCounts } from '@loci/contract/conversation-counts'
import type { Conversation, Turn } from '@loci/contract/conversations'
import type { Draft } from '@loci/contract/drafts'
import type { TurnHit } from '@loci/contract/turn-search'

const minuteMs = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString()

const subjects: [title: string, project: string | undefined, branch: string, agent: string, facts: number][] =
  [
    ['Why does carrier-match rank Sud Express twice', 'carrier-match', 'main', 'claude-code', 2],
    ['Night tolls in Austria are a cent too high', 'toll-calculator', 'fix/night-rounding', 'claude-code', 3],
    ['The portal loses its filters on reload', 'customer-portal', 'filters-in-url', 'cursor', 3],
    ['Draft a reply to Orbis Medical about Friday', undefined, '', 'chatgpt', 1],
    ['Weekly review of dependencies', 'event-lake', 'main', 'codex', 0],
    ['Rehearse the failover to Stockholm, step by step', 'ci-runners', 'runbook-failover', 'claude-code', 5],
    ['Property test for the time windows keeps shrinking forever', 'route-planner', 'windows', 'cursor', 1],
    ['What would it take to drop RabbitMQ', 'notification-hub', 'main', 'claude-code', 0],
  ]

const ledTo = [
  { id: 'ent_1', name: 'toll-calculator', type: 'product' },
  { id: 'ent_2', name: 'Frankfurt is primary, Stockholm stands by', type: 'concept' },
  { id: 'ent_3', name: 'Jonas Weber', type: 'person' },
]

export const sampleConversation = (index: number, more: Partial<Conversation> = {}): Conversation => {
  const [title, project, branch, agent, facts] = subjects[index % subjects.length]!
  const began = index === 0 ? 90 : index * 190 + 60
  return {
    id: `cnv_${index}`,
    agent,
    externalId: `external-${index}`,
    ...(project && { project: { name: project, path: `/home/maya/${project}`, ...(branch && { branch }) } }),
    title,
    startedAt: ago(began),
    endedAt: ago(index === 0 ? 0 : index * 190),
    turns: 8 + ((index * 37) % 200),
    bytes: 11_000 + ((index * 7_919) % 600_000),
    facts,
    ledTo: ledTo.slice(0, Math.min(facts, 3)),
    ledToCount: facts,
    toDecide: [1, 2, 3, 0, 4, 1, 0, 2][index % 8]!,
    ...more,
  }
}

export const sampleConversations = (count: number): Conversation[] =>
  Array.from({ length: count }, (_, index) => sampleConversation(index))

export const sampleCounts: ConversationCounts = {
  conversations: 412,
  turns: 38_904,
  bytes: 61_200_000,
  facts: 312,
  only: { facts: 126, to_decide: 14, failed: 63 },
  isComplete: true,
  serverDays: null,
  agents: [
    { agent: 'claude-code', conversations: 231, turns: 1, bytes: 1 },
    { agent: 'cursor', conversations: 97, turns: 1, bytes: 1 },
    { agent: 'codex', conversations: 58, turns: 1, bytes: 1 },
    { agent: 'chatgpt', conversations: 26, turns: 1, bytes: 1 },
  ],
  projects: [
    ...subjects
      .flatMap(([, name]) => name ?? [])
      .map((name, index) => ({ name, conversations: 86 - index * 9 })),
    { name: 'x'.repeat(200), conversations: 2 },
  ].map((project) => ({ ...project, turns: 1, bytes: 1 })),
}

const at = (minutes: number) => ago(87 - minutes)
type Said = Pick<Turn, 'role' | 'text'> & Partial<Turn>

const said: [minutes: number, turn: Said][] = [
  [
    0,
    {
      role: 'person',
      text: 'Bauwerk Supply says the night toll on Vienna to Zurich is a cent too high on every second invoice. Find out why. Their trips: [redacted: aws-access-key] Leave the Swiss rates alone, Helios Maps delivers them rounded.',
    },
  ],
  [1, { role: 'agent', text: 'I will look at the rates first.' }],
  ...['rates.rs', 'rounding.rs', 'invoice.rs'].map((file): [number, Said] => [
    1,
    {
      role: 'tool',
      text: '',
      tool: { name: 'Read', input: `src/${file}`, ok: true },
      files: [`src/${file}`],
    },
  ]),
  [
    5,
    {
      role: 'agent',
      text: 'Found it: `night_rate()` rounds each section to whole cents and then adds them up. A trip of eleven sections can be five cents off; **the invoice rounds once**.\n\n- sections stay exact\n- the trip rounds at the end',
    },
  ],
  [
    5,
    {
      role: 'tool',
      text: 'night_rate_rounds_once\n  left: 18.41\n right: 18.40',
      tool: { name: 'Bash', input: 'cargo test -p toll night_rate', exitCode: 101, ok: false },
    },
  ],
  [
    6,
    {
      role: 'tool',
      text: '',
      tool: { name: 'Edit', input: 'src/rounding.rs', ok: true },
      files: ['src/rounding.rs'],
    },
  ],
  [
    7,
    {
      role: 'tool',
      text: 'test result: ok. 41 passed',
      tool: { name: 'Bash', input: 'cargo test -p toll', exitCode: 0, ok: true },
      cut: 12_000,
    },
  ],
  [
    11,
    {
      role: 'person',
      text: 'Good. From now on we round once, at the end of the trip, in every service that shows money. Lukas agreed on the phone. [redacted: private]\nThen replay October for them and tell me how much it was.',
    },
  ],
  [
    14,
    {
      role: 'tool',
      text: '',
      tool: { name: 'Bash', input: 'cargo run --bin replay -- --month 2026-10', exitCode: 0 },
    },
  ],
  [
    14,
    {
      role: 'agent',
      text: 'No difference is left. Before: 214 of 412 trips billed too much, 2.91 EUR in all.',
    },
  ],
  [
    22,
    {
      role: 'person',
      text: 'Then send them a credit note by the 30th. Ask Noor before you touch the ledger; her test token is [redacted: jwt]',
    },
  ],
  [23, { role: 'agent', text: `invoice-ledger only appends. ${'x'.repeat(500)}`, cut: 12_000 }],
]

export const sampleTurns: Turn[] = said.map(([minutes, turn], index) => ({
  id: `trn_${index + 1}`,
  seq: index + 1,
  at: at(minutes),
  ...turn,
}))

const fact = (
  id: string,
  name: string,
  type: string,
  content: string,
  turnId: string,
  quote: string,
): FactOfEntity => ({
  id,
  content,
  createdAt: ago(60),
  source: { conversationId: 'cnv_1', turnId, quote },
  entity: { id: `ent_${id}`, name, type },
})

export const sampleFacts: FactOfEntity[] = [
  fact(
    'obs_1',
    'Helios Maps',
    'company',
    'Leave the Swiss rates alone, Helios Maps delivers them rounded.',
    'trn_1',
    'Leave the Swiss rates alone, Helios Maps delivers them rounded.',
  ),
  {
    ...fact(
      'obs_2',
      'toll-calculator',
      'product',
      'Rounds once, at the end of the trip; sections stay exact.',
      'trn_9',
      '',
    ),
    at: '2026-11',
  },
  fact(
    'obs_4',
    'Bauwerk Supply',
    'company',
    'Was billed 2.91 EUR too much for night tolls in October 2026.',
    'trn_12',
    '214 of 412 trips billed too much, 2.91 EUR in all.',
  ),
  fact(
    'obs_5',
    'Bauwerk Supply',
    'company',
    'Gets one credit note over 2.91 EUR; Noor Haddad releases it.',
    'trn_13',
    'send them a credit note by the 30th',
  ),
  fact(
    'obs_6',
    'long name '.repeat(50),
    'concept',
    `A fact of a turn that is not shown. ${'y'.repeat(300)}`,
    'trn_999',
    '',
  ),
]

export const sampleDrafts: Draft[] = [
  {
    ...{ id: 'drf_1', status: 'open', kind: 'rule', at: ago(65) },
    by: { role: 'person', agent: 'claude-code' },
    source: { conversationId: 'cnv_1', turnId: 'trn_13' },
    conversationTitle: 'Night tolls in Austria are a cent too high',
    changes: [
      {
        operation: 'observation_added',
        content: 'Ask Noor before you touch the ledger;',
        entity: { name: 'invoice-ledger', type: 'product' },
      },
    ],
  },
]

const hitOf = (turn: Turn, index: number): TurnHit => {
  const at = turn.text.search(/round|once|exact/i)
  return {
    ...turn,
    id: `${turn.id}-${index}`,
    conversation: sampleConversation(index, index === 3 ? { title: 'x'.repeat(500) } : {}),
    score: 1,
    highlights: at === -1 ? [] : [[at, at + 5]],
    before: [],
    after: [],
  }
}

export const sampleHits: TurnHit[] = [0, 1, 2, 3].flatMap((index) =>
  sampleTurns.slice(index * 3, index * 3 + 3).map((turn) => hitOf(turn, index)),
)
