import { bodyBytesMax, endpoints } from '../endpoint.ts'
import {
  AcceptedResponse,
  AcceptProposal,
  AcceptRuleResponse,
  AcceptRulesResponse,
  CreateAcceptRule,
  DecidedResponse,
  DecideProposals,
  ListProposalsQuery,
  ProposalResponse,
  ProposalsResponse,
  RejectProposal,
} from '../proposals.ts'
import { created, empty, json } from './statuses.ts'

const deciding = {
  access: 'memory:write',
  restriction: 'only signed in, with `memory:review` or named as a reviewer of the space',
  tag: 'Proposals',
  counts: { type: 'update' },
  ...json,
} as const

export const proposalsApi = endpoints({
  listProposals: {
    method: 'GET',
    path: '/api/proposals',
    access: 'memory:read',
    restriction: 'who may not decide sees their own',
    tag: 'Proposals',
    summary: 'List proposed changes that wait for a decision, or that were decided',
    ...json,
    query: ListProposalsQuery,
    response: ProposalsResponse,
  },
  acceptProposal: {
    method: 'POST',
    path: '/api/proposals/:id/accept',
    summary: 'Apply a proposal, as it is or edited',
    ...deciding,
    body: AcceptProposal.default({}),
    bodyBytesMax,
    response: AcceptedResponse,
  },
  rejectProposal: {
    method: 'POST',
    path: '/api/proposals/:id/reject',
    summary: 'Reject a proposal',
    ...deciding,
    body: RejectProposal.default({}),
    response: ProposalResponse,
  },
  decideProposals: {
    method: 'POST',
    path: '/api/proposals/decide',
    summary: 'Accept and reject several proposals',
    ...deciding,
    body: DecideProposals,
    bodyBytesMax: 512 * 1024,
    response: DecidedResponse,
  },
  listAcceptRules: {
    method: 'GET',
    path: '/api/proposals/rules',
    access: 'memory:read',
    restriction: 'none for who may not decide',
    tag: 'Proposals',
    summary: 'List by which rules proposals are accepted at once',
    ...json,
    response: AcceptRulesResponse,
  },
  createAcceptRule: {
    method: 'POST',
    path: '/api/proposals/rules',
    summary: 'Accept from now on what the caller of a proposal adds to entities of a type',
    ...deciding,
    ...created,
    body: CreateAcceptRule,
    response: AcceptRuleResponse,
  },
  deleteAcceptRule: {
    method: 'DELETE',
    path: '/api/proposals/rules/:id',
    summary: 'End a rule',
    ...deciding,
    ...empty,
  },
})
