import { z } from 'zod'
import { IsoDateTime, nameText, text } from './text.ts'
import { WritePolicy } from './write-policy.ts'

/** Header with the space of a call, by id or name, in UTF-8 or percent-encoded. `?space=` does the same. */
export const spaceHeader = 'loci-space'

/** The space that each account starts with; calls that name none work on it while it exists. */
export const firstSpaceId = 'spc_1'

/** Per account. */
export const spacesMax = 1_000

/** A name is never interpreted as an id. */
export const SpaceName = nameText(64, 'Space name')
  .transform((value) => value.trim())
  .refine((value) => !/^spc_[0-9a-z]+$/.test(value), 'A space name must not look like an id')
  .refine((value) => !/^\.{1,2}$/.test(value), 'A space name must not be . or .., which no address can hold')

export const Space = z.object({
  id: z.string(),
  name: z.string(),
  entities: z.number().int(),
  relations: z.number().int(),
  observations: z.number().int(),
  /** `propose`: what agents, and people who may not review, write waits for a review. */
  writes: WritePolicy,
  /** Days after which an open proposal is accepted by itself; null for never. */
  autoAcceptDays: z.number().int().nullable(),
  /** Ids of the members who may review here besides owners and admins. */
  reviewers: z.array(z.string()),
  createdAt: IsoDateTime,
  /** Whether the questions that agents ask are kept. */
  keepsRecalls: z.boolean(),
  /** Whether it is counted which facts are told, by their ids, to find those that never are. */
  countsTold: z.boolean(),
  /** After how many days without a new turn a conversation is deleted; null for as long as the server keeps it. */
  conversationDays: z.number().int().nullable(),
})
export type Space = z.infer<typeof Space>

export const SpacesResponse = z.object({ spaces: z.array(Space) })
export const SpaceResponse = z.object({ space: Space })

/** Body of `POST /api/spaces`. */
export const NameSpace = z.object({ name: SpaceName })
export type NameSpace = z.infer<typeof NameSpace>

export const autoAcceptDaysMax = 365
export const conversationDaysMax = 36_500
const reviewersMax = 100

/**
 * Body of `PATCH /api/spaces/:id`; omitted fields are unchanged. All but the name require `memory:review`, and
 * `conversationDays` also `conversations:write`.
 */
export const UpdateSpace = z
  .object({
    name: SpaceName.optional(),
    writes: WritePolicy.optional(),
    autoAcceptDays: z.number().int().min(1).max(autoAcceptDaysMax).nullable().optional(),
    reviewers: z
      .array(text(1, 128, 'Member'))
      .max(reviewersMax)
      .optional(),
    keepsRecalls: z.boolean().optional(),
    countsTold: z.boolean().optional(),
    conversationDays: z.number().int().min(1).max(conversationDaysMax).nullable().optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'Must have name, writes, autoAcceptDays, reviewers, keepsRecalls, countsTold or conversationDays',
  })
export type UpdateSpace = z.infer<typeof UpdateSpace>
