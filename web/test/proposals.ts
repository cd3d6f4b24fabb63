import type { Proposal, ProposalsResponse, ProposedChange } from '@loci/contract/proposals'
import { storedAt } from './memory.ts'

export const proposedFact = (
  id: string,
  content: string,
  more: Record<string, unknown> = {},
): ProposedChange => ({
  operation: 'observation_added',
  subject: { kind: 'observation', id, entityId: 'ent_toll', entityName: 'Toll', entityType: 'project' },
  before: null,
  after: { id, content, createdAt: storedAt, ...more },
})

export const proposalOf = (
  id: string,
  changes: ProposedChange[],
  more: Partial<Proposal> = {},
): Proposal => ({
  id,
  status: 'open',
  by: { kind: 'api_key', id: 'key_1', name: 'Laptop', client: 'codex' },
  at: storedAt,
  source: null,
  changes,
  changesCount: changes.length,
  rivals: [],
  restsOn: [],
  ...more,
})

export const proposalsPage = (
  proposals: Proposal[],
  more: Partial<ProposalsResponse> = {},
): ProposalsResponse => ({ proposals, open: proposals.length, mayDecide: true, nextCursor: null, ...more })
