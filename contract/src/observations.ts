import { z } from 'zod'
import { ChangeActor } from './change-actor.ts'
import { checkedFirst, listOf } from './checked-first.ts'
import { endsTooSoon, endsTooSoonMessage, FactTime } from './fact-times.ts'
import { Metadata } from './metadata.ts'
import { filterList, IsoDateTime, MomentInput, text } from './text.ts'

export const observationContentMax = 65_536
/** Most observations in one call. */
export const observationsPerCallMax = 1_000

const filesMax = 50
const replacedMax = 100

/**
 * A file of a code base that an observation rests on. `lines`: `7` or `3-9`. `hash`: SHA-256 of these lines, or of the
 * file, in hexadecimal.
 */
export const CitedFile = z.object(
  {
    path: text(1, 1_024, 'Path'),
    lines: text(1, 64, 'Lines').optional(),
    hash: text(1, 128, 'Hash').optional(),
    repository: text(1, 1_024, 'Repository').optional(),
  },
  { error: 'Must be an object with a path: {"path": "src/app.ts"}' },
)

/** A cited file that is no longer as it was. `hash`: of what is there now. */
export const StaleFile = CitedFile.pick({ path: true, lines: true, hash: true }).extend({
  reason: z.enum(['changed', 'gone']),
})
export type StaleFile = z.infer<typeof StaleFile>
export const StaleFiles = listOf(StaleFile, filesMax)

const Source = z
  .object({
    conversationId: text(1, 128, 'Conversation id').optional(),
    turnId: text(1, 128, 'Turn id').optional(),
    url: text(1, 2_048, 'URL').optional(),
    title: text(1, 1_024, 'Title').optional(),
    quote: text(1, 8_192, 'Quote').optional(),
  })
  .refine(({ conversationId, url, title }) => (conversationId ?? url ?? title) !== undefined, {
    error: 'Must have conversationId, url or title',
  })

/** What an observation can carry beside its text: the same in every body, answer, import and export. */
export const observationFields = {
  metadata: Metadata.optional(),
  /** When it happened or became true. Without it, the dates in its text count, else `createdAt`. */
  at: FactTime.optional(),
  /** When it stopped being true. */
  until: FactTime.optional(),
  /** It is no longer told from then on, and is deleted 30 days later. */
  expiresAt: MomentInput.transform((moment) => new Date(moment).toISOString())
    .pipe(IsoDateTime)
    .optional(),
  /** Ids of the observations whose place it takes: they end when it begins. */
  replaces: listOf(text(1, 128, 'Observation id'), replacedMax).optional(),
  files: listOf(CitedFile, filesMax).optional(),
  /** Where it is from. */
  source: Source.optional(),
}

/**
 * What an observation is to its readers: true as far as known, resting on a file that has changed, replaced by another,
 * or past its `expiresAt`. Derived from its fields. `proposed`: not stored yet, and told to nobody but who proposed it.
 */
export const ObservationState = z.enum(['current', 'stale', 'replaced', 'expired', 'proposed'])
export type ObservationState = z.infer<typeof ObservationState>
/** The states that are told unless others are asked for. */
export const toldStates: readonly ObservationState[] = ['current', 'stale']
/** Query parameter: the states that a list or search returns; by default {@link toldStates}. */
export const States = filterList(ObservationState)

type OfState = {
  replacedBy?: string | undefined
  expiresAt?: string | undefined
  stale?: readonly unknown[] | undefined
}

export function stateOf({ replacedBy, expiresAt, stale }: OfState, now: number): ObservationState {
  if (replacedBy !== undefined) return 'replaced'
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now) return 'expired'
  return stale === undefined ? 'current' : 'stale'
}

/** Whether an observation is told to somebody who asks for no states. */
export const isTold = (observation: OfState, now: number) => toldStates.includes(stateOf(observation, now))

export const Observation = z.object({
  id: z.string(),
  content: z.string(),
  createdAt: IsoDateTime,
  /** When its text or metadata was corrected; absent if never. */
  updatedAt: IsoDateTime.optional(),
  /** Who first wrote it; only with `include=by`. */
  by: ChangeActor.optional(),
  /** The observation that took its place. */
  replacedBy: z.string().optional(),
  /** The files it rests on that have changed or gone, until it is confirmed or corrected. */
  stale: StaleFiles.optional(),
  /** Absent if it is current, and in history and exports. */
  state: ObservationState.optional(),
  ...observationFields,
})
export type Observation = z.infer<typeof Observation>
export type ObservationFields = Pick<Observation, keyof typeof observationFields>

export const ObservationContent = text(1, observationContentMax, 'Observation')

const observationInput = { content: ObservationContent, ...observationFields }
const isInOrder = (fact: { at?: FactTime | undefined; until?: FactTime | undefined }) => !endsTooSoon(fact)
const disorder = { error: endsTooSoonMessage, path: ['until'] }
export const ObservationObject = z.object(observationInput).refine(isInOrder, disorder)

/** An observation as callers send it: the bare text, or the text with metadata. */
export const ObservationInput = z.union([ObservationContent, ObservationObject], {
  error: 'Must be a text of 1 to 65,536 characters, or an object with content and metadata',
})
export type ObservationInput = z.infer<typeof ObservationInput>

const message = `At most ${observationsPerCallMax} observations in one call`

export const ObservationInputs = listOf(ObservationInput, observationsPerCallMax, { message })

/**
 * Observations in `PUT /api/entities/:id`: one with the id of an existing observation of the entity
 * revises it.
 */
export const ObservationUpdates = listOf(
  z.union(
    [
      ObservationContent,
      z
        .object({ id: text(1, 128, 'Observation id').optional(), ...observationInput })
        .refine(isInOrder, disorder),
    ],
    { error: 'Must be a text of 1 to 65,536 characters, or an object with content, metadata and id' },
  ),
  observationsPerCallMax,
  { message },
)

/** Body of `POST /api/entities/:id/observations`: one observation, or several. */
export const CreateObservations = checkedFirst(
  z.union(
    [
      ObservationObject,
      z.object({ observations: listOf(ObservationInput, observationsPerCallMax, { min: 1, message }) }),
    ],
    { error: 'Must have content, or observations' },
  ),
  (body) => {
    const { content, observations } = Object(body)
    if (content === undefined || observations === undefined) return
    return 'Must have content, or observations, not both'
  },
)
export type CreateObservations = z.infer<typeof CreateObservations>

/** An earlier current observation of the same entity that could say the same as a new one, or the opposite. */
export const Rival = Observation.pick({ id: true, content: true, at: true })
export type Rival = z.infer<typeof Rival>
/** At most three, nearest first, their texts shortened. If one is no longer true, the new one should replace it. */
export const Rivals = z.array(Rival)

export const ObservationsResponse = z.object({ observations: z.array(Observation), rivals: Rivals })
export type ObservationsResponse = z.infer<typeof ObservationsResponse>
