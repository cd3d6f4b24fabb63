import { z } from 'zod'
import { OperationType } from './analytics.ts'
import { DoorsBySpace, SetDoor } from './doors.ts'
import { KeyRight } from './rights.ts'
import { IsoDateTime, MomentInput, nameText, text } from './text.ts'
import { WritePolicy } from './write-policy.ts'

/** Days that an old key keeps working after it is rolled. */
export const rolledKeyDays = 14
/** A key is "expiring soon" this many days before it expires. */
export const keyExpiringSoonDays = 14

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** First 6 and last 4 characters, with an ellipsis between them. */
  keyPreview: z.string(),
  /** Empty: everything that a key can do. */
  permissions: z.array(KeyRight),
  /** Ids of the spaces it can use, its default space first; null for all. */
  spaces: z.array(z.string()).nullable(),
  /** `propose`: what it writes waits for a person's review. */
  writes: WritePolicy,
  /** Spaces whose door differs from the rest; a space that is `none` is not in `spaces`. */
  doors: DoorsBySpace,
  expiresAt: IsoDateTime.nullable(),
  isExpired: z.boolean(),
  isExpiringSoon: z.boolean(),
  lastUsedAt: IsoDateTime.nullable(),
  /** Kind and subject of its newest call. */
  lastOperation: z.object({ type: OperationType, resource: z.string() }).nullable(),
  createdAt: IsoDateTime,
  createdBy: z.object({ name: z.string() }),
  usage: z.object({ totalRequests: z.number().int(), activeDays: z.number().int() }),
})
export type ApiKey = z.infer<typeof ApiKey>

export const CreateApiKey = z.object({
  name: nameText(128, 'Name').transform((value) => value.trim()),
  /** Empty: everything that a key can do. */
  permissions: z.array(KeyRight).max(KeyRight.options.length).default([]),
  /** Ids or names of the spaces it is limited to; all if absent. */
  spaces: z
    .array(text(1, 128, 'Space'))
    .min(1, 'Choose at least one space')
    .max(100)
    .nullish(),
  /** `direct` if absent. */
  writes: WritePolicy.optional(),
  expiresAt: MomentInput.nullish(),
})
export type CreateApiKey = z.infer<typeof CreateApiKey>

/** Body of `PATCH /api/keys/:id`. */
export const UpdateApiKey = z.object({
  /** In all spaces that have no door of their own. */
  writes: WritePolicy.optional(),
  door: SetDoor.optional(),
})
export type UpdateApiKey = z.infer<typeof UpdateApiKey>

export const ApiKeysResponse = z.object({ apiKeys: z.array(ApiKey) })
/** The only response that contains the whole key. */
export const NewApiKey = z.object({ id: z.string(), apiKey: z.string() })
export type NewApiKey = z.infer<typeof NewApiKey>
export const RolledKeyResponse = z.object({ newKey: NewApiKey })

/** `loci_AbCdEf...` -> `loci_A…9fK2`; short texts are not cut. */
export function previewOfKey(key: string): string {
  return key.length > 12 ? `${key.slice(0, 6)}…${key.slice(-4)}` : key
}
