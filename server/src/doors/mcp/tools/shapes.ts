import { checkedFirst } from '@loci/contract/checked-first'
import { EntityName, EntityType } from '@loci/contract/entities'
import { FactTime, periodOf } from '@loci/contract/fact-times'
import {
  ObservationContent,
  type ObservationInput,
  ObservationObject,
  observationsPerCallMax,
  type Rival,
} from '@loci/contract/observations'
import { RelationType } from '@loci/contract/relations'
import { QueryText, StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { quote } from '../../../features/memories/not-found.ts'
import { dayMs, minuteMs, toIso } from '../../../ground/lib/time.ts'
import { readMoment, readTimeSpans } from '../../../search/ask/question-times.ts'

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

/** A moment of the past, of a date its end. */
export const PastMoment = limitedMoment.optional().describe('As of the end of this date')

/** The end of a {@link PastMoment}, in the form that services expect. */
export function toPastMoment(text: string | undefined, now: number): string | undefined {
  const end = text === undefined ? undefined : endOfMoment(text, now)
  return end === undefined ? undefined : toIso(end - 1)
}

const toTheMinute = /T\d\d:\d\d(?!:)/
const isoDateTime = /^\d{4}-\d\d-\d\dT/

/** The end, exclusive: a date, month or year includes all of it, a time the whole minute. */
export function endOfMoment(until: string, now: number): number | undefined {
  const written = until.trim()
  if (written.toLowerCase() === 'now') return now + 1
  const start = readMoment(written, now)
  if (start === undefined) return undefined
  if (toTheMinute.test(written)) return start + minuteMs
  if (isoDateTime.test(written)) return start + 1
  return periodOf(written)?.to ?? start + dayMs
}

/** What else an answer has. */
export const WithParts = z.array(z.string()).optional().describe('source: who facts are by and from')

/** A search text, up to 10,000 characters. */
export const limitedQuery = limited(QueryText)

export const limitedName = limited(EntityName)
export const limitedType = limited(EntityType)
export const limitedObservation = limited(ObservationContent)
export const limitedRelationType = limited(RelationType)

const zoneless =
  /^(?<day>\d{4}-\d\d-\d\d)[T ](?<time>\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?<zone>Z|[+-]\d\d:\d\d)?$/
const yearIn = /(?<!\d)\d{4}(?!\d)/

/**
 * When a fact was true, from what models write: a time without a zone is UTC, and a date in words ("11 December 2026",
 * "May 2024") that can be read in one way is that date. Other texts are left for the schema to refuse.
 */
export function toFactTime(text: string): string {
  const written = text.trim()
  if (FactTime.safeParse(written).success) return written
  const { day, time, zone = 'Z' } = zoneless.exec(written)?.groups ?? {}
  if (day !== undefined) return `${day}T${time}${zone}`
  const spans = yearIn.test(written) ? readTimeSpans(written, anyNow) : []
  const start = spans.length === 1 ? toIso(spans[0]!.from) : ''
  const forms = [start.slice(0, 10), start.slice(0, 7), start.slice(0, 4)]
  const isSpan = (form: string) => {
    const period = periodOf(form)
    return period?.from === spans[0]?.from && period?.to === spans[0]?.to
  }
  return forms.find((form) => form !== '' && isSpan(form)) ?? text
}

export const limitedFactTime = z
  .string()
  .transform(toFactTime)
  .superRefine((time, issues) => {
    const [issue] = FactTime.safeParse(time).error?.issues ?? []
    if (issue !== undefined) issues.addIssue({ code: 'custom', message: issue.message })
  })

/**
 * A text, or an object with a text and more; published as the text of the reference, which clients built for it expect.
 */
const limitedFact = z
  .unknown()
  .meta({ type: 'string' })
  .transform((value, issues): ObservationInput => {
    const isText = typeof value === 'string' || typeof value !== 'object'
    const parsed = isText
      ? ObservationContent.safeParse(value)
      : ObservationObject.safeParse(withTimes(withoutNulls(value)))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    issues.addIssue({ code: 'custom', message: issue?.message ?? 'Not valid', path: issue?.path ?? [] })
    return z.NEVER
  })

/** Models write null for optional fields that they leave out. */
const withoutNulls = (value: object | null) =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([, inner]) => inner !== null))

const withTimes = (value: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      (key === 'at' || key === 'until') && typeof inner === 'string' ? toFactTime(inner) : inner,
    ]),
  )

/** When a fact was true, in answers. */
export const factTimes = {
  at: z.string().optional().describe('When it became true'),
  until: z.string().optional().describe('When it stopped'),
  replacedBy: z.string().optional(),
  newer: z.string().optional().describe('A later fact that may say otherwise'),
  stale: z.string().optional().describe('Files it rests on that changed'),
}

/** Of tools whose answer has no other notice. */
export const waitingNotice = { notice: z.string().optional().describe('Present when it waits for a review') }

/** A turn of a conversation, in answers. */
export const turn = { id: z.string(), at: z.string(), who: z.string(), text: z.string() }

export const RivalsOut = z
  .array(z.object({ id: z.string(), content: z.string(), at: z.string().optional() }))
  .optional()
  .describe('Earlier facts that may say the same or the opposite')

export const EntityIn = z.object({
  name: limitedName.describe('The name of the entity'),
  entityType: limitedType.describe('The type of the entity'),
  observations: bounded(limitedFact).describe('An array of observation contents associated with the entity'),
})

export const RelationIn = z.object({
  from: limitedName.describe('The name of the entity where the relation starts'),
  to: limitedName.describe('The name of the entity where the relation ends'),
  relationType: limitedRelationType.describe('The type of the relation'),
})

export const AdditionIn = z.object({
  entityName: limitedName.describe('The name of the entity to add the observations to'),
  contents: bounded(limitedFact).describe('An array of observation contents to add'),
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

/** The same in answers of our own tools, where its fields need no words. */
export const RelationFound = z.object({ from: z.string(), to: z.string(), relationType: z.string() })

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

const rivalCharactersMax = 120

/** To replace a fact, an agent names the new one too. */
const newIdsMax = 5

/** Earlier facts that a write may contradict, and what to do about it; `ids` are those of the new facts. */
export function noteOfRivals(rivals: readonly Rival[], ids: readonly string[]): string | undefined {
  if (rivals.length === 0) return undefined
  const told = rivals.map(({ id, content }) => `[${id}] ${quote(content, rivalCharactersMax)}`).join(', ')
  return `Stored already: ${told}. If one of them is no longer true, call update_observation with replaces.${namesOfNew(ids)}`
}

function namesOfNew(ids: readonly string[]): string {
  if (ids.length > newIdsMax) return ''
  return ids.length === 1 ? ` The new fact is ${ids[0]}.` : ` The new facts are, in order, ${ids.join(', ')}.`
}

/** Joins sentences to one notice; undefined if there are none. */
export function joinSentences(sentences: readonly (string | undefined)[]): string | undefined {
  return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined
}

/** The result of the tools that delete; `success` is false if nothing that was requested was done. */
export function doneAnswer(message: string, success = true) {
  return { structured: { success, message }, text: message }
}
