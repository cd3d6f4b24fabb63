import { z } from 'zod'

/** Whether writes are applied at once, or wait for a person's review. */
export const WritePolicy = z.enum(['direct', 'propose'])
export type WritePolicy = z.infer<typeof WritePolicy>

/** In the answer of a write that was stored as a proposal: the rest is what it will be once somebody accepts it. */
export const asProposal = { proposed: z.literal(true).optional(), proposalId: z.string().optional() }
