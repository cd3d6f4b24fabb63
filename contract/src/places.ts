import { z } from 'zod'
import { text } from './text.ts'

/** An account and one of its spaces. */
export const Place = z.object({ accountId: text(1, 128, 'Account'), spaceId: text(1, 128, 'Space') })
export type Place = z.infer<typeof Place>
