import { z } from 'zod'
import { NextCursor, PageQuery } from './lists.ts'
import { Observation, ObservationContent } from './observations.ts'
import { IsoDateTime, text } from './text.ts'

/** What can be wrong with a memory, the worst first. */
export const healthKinds = [
  'secret',
  'rivals',
  'stale',
  'duplicate',
  'not_standalone',
  'orphan',
  'expired',
  'too_long',
  'never_recalled',
] as const
export const HealthKind = z.enum(healthKinds)
export type HealthKind = z.infer<typeof HealthKind>

export const HealthSeverity = z.enum(['high', 'medium', 'low'])
export type HealthSeverity = z.infer<typeof HealthSeverity>

/** Most items of a kind that a check keeps; the counts go on. */
export const healthItemsMax = 500

/** An entity, or an observation of it; ids are absent where a file was checked. Secrets in `content` are hidden. */
export const HealthSubject = z.object({
  entity: z.object({ id: z.string().optional(), name: z.string(), type: z.string() }),
  observation: z
    .object({
      id: z.string().optional(),
      /** Shortened. */
      content: z.string(),
      createdAt: IsoDateTime.optional(),
      at: z.string().optional(),
      replaces: z.array(z.string()).optional(),
    })
    .optional(),
  /** Where it stands in the file that was checked. */
  place: z.string().optional(),
})
export type HealthSubject = z.infer<typeof HealthSubject>

/**
 * What would mend an item. `merge` and `replace`: the first subject stays. `forget`: all but the first subject, or the
 * only one. `erase` leaves `content`; `reword` proposes it, if it can; `split` proposes `parts`.
 */
export const HealthCure = z.object({
  action: z.enum(['erase', 'replace', 'merge', 'forget', 'reword', 'split', 'relate', 'confirm']),
  content: z.string().optional(),
  parts: z.array(z.string()).optional(),
})
export type HealthCure = z.infer<typeof HealthCure>

export const HealthItem = z.object({
  /** The same in each check, as long as its subjects are the same. */
  id: z.string(),
  kind: HealthKind,
  severity: HealthSeverity,
  subjects: z.array(HealthSubject),
  /** Why it is here; can be shown to a person. */
  evidence: z.string(),
  cure: HealthCure,
})
export type HealthItem = z.infer<typeof HealthItem>

export const HealthCounts = z.record(HealthKind, z.number().int())
export type HealthCounts = z.infer<typeof HealthCounts>

/** Items are the worst first, at most 500 of a kind; `counts` counts all. */
export const HealthReport = z.object({
  checkedAt: IsoDateTime,
  checked: z.object({ entities: z.number().int(), observations: z.number().int() }),
  items: z.array(HealthItem),
  counts: HealthCounts,
})
export type HealthReport = z.infer<typeof HealthReport>

export const MemoryHealthQuery = PageQuery.extend({ kind: HealthKind.optional() })
export type MemoryHealthQuery = z.infer<typeof MemoryHealthQuery>

/**
 * `checkedAt` is null while the first check runs; ask again. `running` tells how far a check has come: the items are of
 * the one before.
 */
export const MemoryHealth = HealthReport.extend({
  checkedAt: IsoDateTime.nullable(),
  running: z.object({ checked: z.number().int(), of: z.number().int() }).optional(),
  /** Whether it is counted which facts are told, without which `never_recalled` cannot be found. */
  countsTold: z.boolean(),
  nextCursor: NextCursor,
})
export type MemoryHealth = z.infer<typeof MemoryHealth>

export const DismissedHealthItem = z.object({ id: text(1, 128, 'Id') })
export type DismissedHealthItem = z.infer<typeof DismissedHealthItem>

/** `content`: what may stay, as a new observation of the same entity and the same time. */
export const EraseObservation = z.object({ content: ObservationContent.optional() }).prefault({})
export type EraseObservation = z.infer<typeof EraseObservation>

/** Null if nothing was left in its place. */
export const EraseObservationResponse = z.object({ observation: Observation.nullable() })
export type EraseObservationResponse = z.infer<typeof EraseObservationResponse>
