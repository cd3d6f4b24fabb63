import { z } from 'zod'
import { ChangeActor } from './change-actor.ts'
import { listOf } from './checked-first.ts'
import { Metadata } from './metadata.ts'
import { IsoDateTime, text } from './text.ts'

export const observationContentMax = 65_536
/** Most observations in one call. */
export const observationsPerCallMax = 1_000

/** What an observation can carry beside its text: the same in every body, answer, import and export. */
export const observationFields = { metadata: Metadata.optional() }

export const Observation = z.object({
  id: z.string(),
  content: z.string(),
  createdAt: IsoDateTime,
  /** When its text or metadata was corrected; absent if never. */
  updatedAt: IsoDateTime.optional(),
  /** Who first wrote it; only with `include=by`. */
  by: ChangeActor.optional(),
  ...observationFields,
})
export type Observation = z.infer<typeof Observation>
export type ObservationFields = Pick<Observation, keyof typeof observationFields>

export const ObservationContent = text(1, observationContentMax, 'Observation')

const observationInput = { content: ObservationContent, ...observationFields }

/** An observation as callers send it: the bare text, or the text with metadata. */
export const ObservationInput = z.union([ObservationContent, z.object(observationInput)], {
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
    [ObservationContent, z.object({ id: text(1, 128, 'Observation id').optional(), ...observationInput })],
    { error: 'Must be a text of 1 to 65,536 characters, or an object with content, metadata and id' },
  ),
  observationsPerCallMax,
  { message },
)

/** Body of `POST /api/entities/:id/observations`: one observation, or several. */
export const CreateObservations = z.union(
  [
    z.object(observationInput),
    z.object({ observations: listOf(ObservationInput, observationsPerCallMax, { min: 1, message }) }),
  ],
  { error: 'Must have content, or observations' },
)
export type CreateObservations = z.infer<typeof CreateObservations>

export const ObservationsResponse = z.object({ observations: z.array(Observation) })
