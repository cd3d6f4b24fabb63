import { checkedFirst } from '@loci/contract/checked-first'
import { EntityName, EntityType } from '@loci/contract/entities'
import { ObservationContent, observationsPerCallMax } from '@loci/contract/observations'
import { RelationType } from '@loci/contract/relations'
import { QueryText, StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { toIso } from '../../../ground/lib/time.ts'
import { readMoment } from '../../../search/ask/question-times.ts'

/**
 * The shapes of the reference memory server, published word for word. Our limits are checked in
 * addition but do not appear in the published schema, so that a client built for the reference finds
 * the same schema.
 */
function limited(schema: z.ZodType<unknown>) {
  return z.string().superRefine((value, issues) => {
    const [issue] = schema.safeParse(value).error?.issues ?? []
    if (issue !== undefined) issues.addIssue({ code: 'custom', message: issue.message })
  })
}

/** A list of at most 1,000 items; like the other limits, this one does not appear in the schema. */
export function bounded<T extends z.ZodType>(items: T) {
  return checkedFirst(z.array(items), (value) =>
    Array.isArray(value) && value.length > observationsPerCallMax
      ? `At most ${observationsPerCallMax} in one call`
      : undefined,
  )
}

/** Whether a text is a moment does not depend on the current time. */
const anyNow = Date.UTC(2026, 0, 1)

/** A moment in any form that `readMoment` accepts; published as a string. */
export const limitedMoment = z.string().refine((text) => readMoment(text, anyNow) !== undefined, {
  error: ({ input }) =>
    `Not a time: ${JSON.stringify(String(input).slice(0, 100))}. Write a date (2026-11-20), a date-time ` +
    '(2026-11-20T09:00:00Z) or words such as "yesterday", "last week", "3 days ago".',
})

/** Converts a {@link limitedMoment} at the current time to the form that services expect. */
export function toIsoMoment(text: string | undefined, now: number): string | undefined {
  const moment = text === undefined ? undefined : readMoment(text, now)
  return moment === undefined ? undefined : toIso(moment)
}

/** A search text, up to 10,000 characters. */
export const limitedQuery = limited(QueryText)

export const limitedName = limited(EntityName)
export const limitedType = limited(EntityType)
export const limitedObservation = limited(ObservationContent)
export const limitedRelationType = limited(RelationType)

export const EntityIn = z.object({
  name: limitedName.describe('The name of the entity'),
  entityType: limitedType.describe('The type of the entity'),
  observations: bounded(limitedObservation).describe(
    'An array of observation contents associated with the entity',
  ),
})

export const RelationIn = z.object({
  from: limitedName.describe('The name of the entity where the relation starts'),
  to: limitedName.describe('The name of the entity where the relation ends'),
  relationType: limitedRelationType.describe('The type of the relation'),
})

export const AdditionIn = z.object({
  entityName: limitedName.describe('The name of the entity to add the observations to'),
  contents: bounded(limitedObservation).describe('An array of observation contents to add'),
})

/** A relation to look up: its texts need not be within our limits, only valid in a query. */
export const RelationKey = z.object({
  from: StorableText.describe('The name of the entity where the relation starts'),
  to: StorableText.describe('The name of the entity where the relation ends'),
  relationType: StorableText.describe('The type of the relation'),
})

export const EntityOut = z.object({
  name: z.string().describe('The name of the entity'),
  entityType: z.string().describe('The type of the entity'),
  observations: z.array(z.string()).describe('An array of observation contents associated with the entity'),
})

export const RelationOut = z.object({
  from: z.string().describe('The name of the entity where the relation starts'),
  to: z.string().describe('The name of the entity where the relation ends'),
  relationType: z.string().describe('The type of the relation'),
})

/** A part of the graph; `notice` is present only if something was left out. */
export const GraphOut = z.object({
  notice: z
    .string()
    .optional()
    .describe('Present when this is not all: what was left out, and how to continue'),
  entities: z.array(EntityOut),
  relations: z.array(RelationOut),
})

export const DoneOut = z.object({ success: z.boolean(), message: z.string() })

/** The result of the tools that read the graph. */
export function graphAnswer<G extends { notice?: string; isPart?: boolean }>({
  notice,
  isPart = false,
  ...structured
}: G) {
  return { structured, notice, isPart }
}

/** Joins sentences to one notice; undefined if there are none. */
export function joinSentences(sentences: readonly (string | undefined)[]): string | undefined {
  return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined
}

/** The result of the tools that delete; `success` is false if nothing that was requested was done. */
export function doneAnswer(message: string, success = true) {
  return { structured: { success, message }, text: message }
}
