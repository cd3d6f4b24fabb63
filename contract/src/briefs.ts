import { z } from 'zod'
import { ChangeActor } from './change-actor.ts'
import { listOf } from './checked-first.ts'
import { IsoDateTime } from './text.ts'

/** Changes that a brief looks at: the newest since the mark. */
export const briefChangesMax = 300
/** Changes that a person can mark as read one by one. */
export const briefReadMax = 500

/** `rival`: two facts that may not both hold. */
export const BriefKind = z.enum(['learned', 'changed', 'rival', 'forgotten'])
export type BriefKind = z.infer<typeof BriefKind>

const BriefEntity = z.object({ id: z.string(), name: z.string(), type: z.string() })

/** One thing that happened to a fact. Long texts are cut. */
export const BriefItem = z.object({
  /** Number of the change. */
  seq: z.number().int(),
  kind: BriefKind,
  at: IsoDateTime,
  by: ChangeActor,
  entity: BriefEntity,
  /** Absent if the whole entity was forgotten. */
  observationId: z.string().optional(),
  content: z.string(),
  /** The wording before. */
  before: z.string().optional(),
  /** The earlier fact beside which it may not hold. */
  rival: z.object({ observationId: z.string(), content: z.string(), createdAt: IsoDateTime }).optional(),
  /** The change set that restores what was forgotten, if it is undone. */
  setId: z.string(),
  isRead: z.boolean(),
})
export type BriefItem = z.infer<typeof BriefItem>

/** What happened in a space since a person last read all of it; `since` is null before the first time. */
export const Brief = z.object({
  since: IsoDateTime.nullable(),
  /** The newest change; marking up to it marks everything as read. */
  seq: z.number().int(),
  /** Newest first; without what the person did in the browser. */
  items: z.array(BriefItem),
  /** False if there were more changes than a brief looks at. */
  isComplete: z.boolean(),
  recalled: z.object({
    times: z.number().int(),
    notFound: z.number().int(),
    /** The observation told most often. */
    most: z.object({ content: z.string(), entity: BriefEntity, times: z.number().int() }).optional(),
  }),
  /** The newest standing rules, with how often agents were told them. */
  rules: z.array(
    z.object({
      observationId: z.string(),
      content: z.string(),
      entity: BriefEntity,
      createdAt: IsoDateTime,
      told: z.number().int(),
    }),
  ),
})
export type Brief = z.infer<typeof Brief>

export const BriefResponse = z.object({ brief: Brief })

const Seq = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Body of `PUT /api/brief/mark`: everything up to this change is read. */
export const MarkBrief = z.object({ seq: Seq })

/** What is mailed to the person each Monday, in one mail. */
export const BriefMail = z.object({
  /** What happened in the space. */
  isOn: z.boolean(),
  /** What waits for a decision of the person. */
  tellsWaiting: z.boolean(),
  /** False if the server sends no mail, or the person has not confirmed their address. */
  isPossible: z.boolean(),
  nextAt: IsoDateTime.nullable(),
})
export type BriefMail = z.infer<typeof BriefMail>
export const BriefMailResponse = z.object({ mail: BriefMail })
/** Body of `PUT /api/brief/mail`; what is omitted stays as it is. */
export const SetBriefMail = z
  .object({ isOn: z.boolean().optional(), tellsWaiting: z.boolean().optional() })
  .refine(({ isOn, tellsWaiting }) => isOn !== undefined || tellsWaiting !== undefined, {
    error: 'Must have isOn or tellsWaiting',
  })
export type SetBriefMail = z.infer<typeof SetBriefMail>

/** Body of `POST /api/brief/read`: these changes are read. */
export const ReadBrief = z.object({ seqs: listOf(Seq, briefReadMax, { min: 1 }) })
