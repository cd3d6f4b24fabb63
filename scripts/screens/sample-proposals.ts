import type { Proposal, ProposedChange } from '@loci/contract/proposals'

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const agent = (name: string): Proposal['by'] => ({
  kind: 'api_key',
  id: `key_${name}`,
  name: 'Laptop',
  client: name,
})

const factChange = (
  id: string,
  entity: string,
  type: string,
  content: string,
  more: object = {},
): ProposedChange => ({
  operation: 'observation_added',
  subject: { kind: 'observation', id, entityId: `ent_${id}`, entityName: entity, entityType: type },
  before: null,
  after: { id, content, createdAt: ago(60), ...more },
})

const proposal = (
  index: number,
  by: string,
  changes: ProposedChange[],
  more: Partial<Proposal> = {},
): Proposal => ({
  id: `prp_${index}`,
  status: 'open',
  by: agent(by),
  at: ago(index * 7 + 3),
  tool: 'add_observations',
  source: null,
  changes,
  changesCount: changes.length,
  rivals: [],
  restsOn: [],
  ...more,
})

const said = (turnId: string, quote: string) => ({ conversationId: 'cnv_1', turnId, quote })

export const sampleProposals: Proposal[] = [
  proposal(
    1,
    'claude-code',
    [
      factChange(
        'obs_1',
        'Keep money as integer cents',
        'concept',
        'Money is rounded once, at the end, in every service that shows it.',
        {
          at: '2026-11-24',
          replaces: ['obs_90'],
        },
      ),
    ],
    {
      source: said(
        'trn_10',
        'From now on we round once, at the end of the trip, in every service that shows money.',
      ),
      rivals: [
        {
          id: 'obs_90',
          content: 'Services round to whole cents before adding up.',
          at: '2025-03',
          entity: { id: 'ent_1', name: 'Keep money as integer cents', type: 'concept' },
        },
        {
          id: 'obs_91',
          content: 'Rounds once, at the end of the trip; sections stay exact.',
          entity: { id: 'ent_2', name: 'toll-calculator', type: 'product' },
        },
      ],
    },
  ),
  proposal(
    2,
    'claude-code',
    [
      factChange(
        'obs_2',
        'Helios Maps',
        'company',
        'Leave the Swiss rates alone, Helios Maps delivers them rounded.',
      ),
    ],
    { source: said('trn_1', 'Leave the Swiss rates alone, Helios Maps delivers them rounded.') },
  ),
  proposal(3, 'cursor', [
    {
      ...factChange('obs_3', 'feature-flags', 'product', 'A flag older than 60 days fails the build.'),
      operation: 'observation_updated',
      before: { content: 'A flag older than 90 days fails the build.' },
    },
  ]),
  proposal(4, 'cursor', [
    {
      operation: 'entity_created',
      subject: { kind: 'entity', id: 'ent_4', name: 'Aiko Tanaka' },
      before: null,
      after: { id: 'ent_4', name: 'Aiko Tanaka', type: 'person' },
    },
    factChange(
      'obs_4',
      'Aiko Tanaka',
      'person',
      'Every filtered table should have a link I can send to a dispatcher.',
    ),
    {
      operation: 'relation_created',
      subject: { kind: 'relation', id: 'rel_4' },
      before: null,
      after: {
        relationType: 'works_on',
        fromEntity: { name: 'Aiko Tanaka', type: 'person' },
        toEntity: { name: 'customer-portal', type: 'product' },
      },
    },
    factChange('obs_5', 'customer-portal', 'product', 'Filters live in the address, never in local storage.'),
  ]),
  proposal(5, 'codex', [
    {
      ...factChange('obs_6', 'edi-gateway', 'product', ''),
      operation: 'observation_deleted',
      before: { content: 'Runs on Java 11.' },
      after: null,
    },
  ]),
  proposal(6, 'codex', [
    factChange('obs_7', 'x'.repeat(500), 'technology', `A long fact ${'y'.repeat(900)}`),
  ]),
]

export const manyProposals: Proposal[] = Array.from({ length: 50 }, (_, index) => ({
  ...sampleProposals[index % sampleProposals.length]!,
  id: `prp_${index}`,
}))

export const decidedProposals: Proposal[] = sampleProposals.map((one, index) => ({
  ...one,
  status: 'accepted',
  rivals: [],
  decidedAt: ago(index * 11),
  decidedBy: { kind: 'session', id: 'usr_1', name: 'Maya Lindt' },
  setId: `set_${index}`,
}))
