import { z } from 'zod'
import { MomentInput } from './text.ts'

/** A time, or the number of a change. */
export const MomentOrSeq = z.union(
  [
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
    MomentInput,
  ],
  {
    error: 'Must be the number of a change, or an ISO-8601 date or date-time',
  },
)
export type MomentOrSeq = z.infer<typeof MomentOrSeq>

/** Query parameter of reads: the graph after that change, or at that time. */
export const AsOf = MomentOrSeq.optional()
