import { z } from 'zod'
import { ChangeActor } from './change-actor.ts'
import { Change } from './changes.ts'
import { listOf } from './checked-first.ts'
import { EntityName, EntityType } from './entities.ts'
import { NextCursor, PageQuery } from './lists.ts'
import { ObservationContent, observationFields, Rival } from './observations.ts'
import { RelationType } from './relations.ts'
import { IsoDateTime, text } from './text.ts'

/** Response header of a call that was stored as a proposal instead of being applied: the proposal's id. */
export const proposalHeader = 'loci-proposal'

export const ProposalStatus = z.enum(['open', 'accepted', 'rejected'])
export type ProposalStatus = z.infer<typeof ProposalStatus>

/** Most changes of a proposal that a list shows. */
export const shownChangesMax = 100
/** Most proposals decided in one call. */
export const decidedMax = 500

/**
 * What a call would change, as a change of the history shows it. `before` is the subject on which it rests, `after`
 * what it would become.
 */
export const ProposedChange = Change.pick({ operation: true, subject: true, before: true, after: true })
export type ProposedChange = z.infer<typeof ProposedChange>

/** A fact that is known already, with its entity. */
export const KnownFact = Rival.extend({
  entity: z.object({ id: z.string(), name: z.string(), type: z.string() }),
})
export type KnownFact = z.infer<typeof KnownFact>

/** A change set that waits for a person, or that one has decided on. */
export const Proposal = z.object({
  id: z.string(),
  status: ProposalStatus,
  by: ChangeActor,
  at: IsoDateTime,
  /** The MCP tool that was called. */
  tool: z.string().optional(),
  /** Where its first fact that says so is from. */
  source: observationFields.source.unwrap().nullable(),
  /** The first of them; `changesCount` counts all. */
  changes: z.array(ProposedChange),
  changesCount: z.number().int(),
  /** At most three current facts that could say the same or the opposite. Empty once it is decided. */
  rivals: z.array(KnownFact),
  /** Ids of earlier proposals of the same caller whose things it changes or names: these are accepted first. */
  restsOn: z.array(z.string()),
  /** Why it was rejected, or how it was accepted without a person. */
  note: z.string().optional(),
  decidedBy: ChangeActor.optional(),
  decidedAt: IsoDateTime.optional(),
  /** The change set that applied it, to undo. */
  setId: z.string().optional(),
})
export type Proposal = z.infer<typeof Proposal>

export const ListProposalsQuery = PageQuery.extend({
  status: ProposalStatus.default('open'),
  /** Id of the API key, connection or person that proposed. */
  by: z.string().max(128).optional(),
  /** Proposals that concern this entity, its observations or its relations. */
  entityId: z.string().max(128).optional(),
  /** Open proposals that this conversation led to. */
  conversation: z.string().max(128).optional(),
})
export type ListProposalsQuery = z.infer<typeof ListProposalsQuery>

/** Newest first. `open`: how many wait in this space that the caller can see. `mayDecide`: whether the caller can. */
export const ProposalsResponse = z.object({
  proposals: z.array(Proposal),
  open: z.number().int(),
  mayDecide: z.boolean(),
  nextCursor: NextCursor,
})
export type ProposalsResponse = z.infer<typeof ProposalsResponse>

/**
 * An edit of one of the proposed changes, found by its subject: the fields that differ, or `leaveOut`. Changes that are
 * not named are applied as proposed. A change as the list returned it, edited, is an edit too.
 */
export const EditedChange = z.object({
  subject: z.object({ id: text(1, 128, 'Subject') }),
  leaveOut: z.boolean().default(false),
  after: z
    .object({
      name: EntityName.optional(),
      /** Of an entity or a relation. */
      type: EntityType.optional(),
      relationType: RelationType.optional(),
      content: ObservationContent.optional(),
      metadata: observationFields.metadata.nullable(),
      at: observationFields.at.nullable(),
      until: observationFields.until.nullable(),
      expiresAt: observationFields.expiresAt.nullable(),
      source: observationFields.source.nullable(),
      files: observationFields.files.nullable(),
      replaces: observationFields.replaces.nullable(),
    })
    .nullish(),
})
export type EditedChange = z.infer<typeof EditedChange>

export const AcceptProposal = z.object({ changes: listOf(EditedChange, 1_000).optional() })
export type AcceptProposal = z.infer<typeof AcceptProposal>

export const RejectProposal = z.object({ reason: text(1, 1_000, 'Reason').optional() })
export type RejectProposal = z.infer<typeof RejectProposal>

/** `setId`: the change set that applied it; undoing it takes everything back. */
export const AcceptedResponse = z.object({ proposal: Proposal, setId: z.string() })
export type AcceptedResponse = z.infer<typeof AcceptedResponse>
export const ProposalResponse = z.object({ proposal: Proposal })

const Ids = listOf(text(1, 128, 'Proposal'), decidedMax)
export const DecideProposals = z
  .object({ accept: Ids.default([]), reject: Ids.default([]), reason: RejectProposal.shape.reason })
  .refine(({ accept, reject }) => accept.length + reject.length > 0, {
    error: 'Name the proposals to accept or to reject',
  })
  .refine(({ accept, reject }) => accept.length + reject.length <= decidedMax, {
    error: `At most ${decidedMax} proposals in one call`,
  })
  .refine(({ accept, reject }) => new Set([...accept, ...reject]).size === accept.length + reject.length, {
    error: 'A proposal can be decided once',
  })
export type DecideProposals = z.infer<typeof DecideProposals>

/** Each proposal is decided by itself, oldest first: one that fails leaves the others as they are. */
export const DecidedResponse = z.object({
  accepted: z.array(z.object({ id: z.string(), setId: z.string() })),
  rejected: z.array(z.string()),
  failed: z.array(
    z.object({
      id: z.string(),
      code: z.string(),
      message: z.string(),
      details: z.array(z.record(z.string(), z.unknown())).optional(),
    }),
  ),
})
export type DecidedResponse = z.infer<typeof DecidedResponse>

/**
 * What this caller adds to entities of this type is accepted at once, as long as the person who made the rule may
 * review. What changes, replaces or deletes something waits all the same.
 */
export const AcceptRule = z.object({
  id: z.string(),
  by: ChangeActor,
  /** Type of entity. */
  type: z.string(),
  createdBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: IsoDateTime,
})
export type AcceptRule = z.infer<typeof AcceptRule>

/** Most rules of a space. */
export const acceptRulesMax = 500

/** For the caller of this proposal. */
export const CreateAcceptRule = z.object({ proposalId: text(1, 128, 'Proposal'), type: EntityType })
export type CreateAcceptRule = z.infer<typeof CreateAcceptRule>

export const AcceptRuleResponse = z.object({ rule: AcceptRule })
/** Newest first. */
export const AcceptRulesResponse = z.object({ rules: z.array(AcceptRule) })

/** What sockets and webhooks tell of a proposal. Nothing of what it says: that is for its reviewers. */
export const proposalEvents = ['proposal.created', 'proposal.accepted', 'proposal.rejected'] as const
export const ProposalEvent = z.enum(proposalEvents)
export type ProposalEvent = z.infer<typeof ProposalEvent>
export const ProposalNews = Proposal.pick({ id: true, status: true, by: true, at: true })
export type ProposalNews = z.infer<typeof ProposalNews>
