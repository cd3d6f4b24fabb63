import { z } from 'zod'
import { ChangeActor } from './change-actor.ts'
import { Metadata } from './metadata.ts'
import { IsoDateTime, text } from './text.ts'

export const observationContentMax = 65_536
/** Most observations in one call. */
export const observationsPerCallMax = 1_000

export const Observation = z.object({
  id: z.string(),
  content: z.string(),
  createdAt: IsoDateTime,
  /** When its text or metadata was corrected; absent if never. */
  updatedAt: IsoDateTime.optional(),
  /** Who first wrote it; only with `include=by`. */
  by: ChangeActor.optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
})
export type Observation = z.infer<typeof Observation>

export const ObservationContent = text(1, observationContentMax, 'Observation')

/** An observation as callers send it: the bare text, or the text with metadata. */
export const ObservationInput = z.union(
  [ObservationContent, z.object({ content: ObservationContent, metadata: Metadata.optional() })],
  { error: 'Must be a text of 1 to 65,536 characters, or an object with content and metadata' },
)
export type ObservationInput = z.infer<typeof ObservationInput>

export const ObservationInputs = z
  .array(ObservationInput)
  .max(observationsPerCallMax, `At most ${observationsPerCallMax} observations in one call`)

/**
 * Observations in `PUT /api/entities/:id`: one with the id of an existing observation of the entity
 * revises it.
 */
export const ObservationUpdates = z
  .array(
    z.union(
      [
        ObservationContent,
        z.object({
          id: text(1, 128, 'Observation id').optional(),
          content: ObservationContent,
          metadata: Metadata.optional(),
        }),
      ],
      { error: 'Must be a text of 1 to 65,536 characters, or an object with content, metadata and id' },
    ),
  )
  .max(observationsPerCallMax, `At most ${observationsPerCallMax} observations in one call`)

/** Body of `POST /api/entities/:id/observations`: one observation, or several. */
export const CreateObservations = z.union(
  [
    z.object({ content: ObservationContent, metadata: Metadata.optional() }),
    z.object({ observations: ObservationInputs.min(1) }),
  ],
  { error: 'Must have content, or observations' },
)
export type CreateObservations = z.infer<typeof CreateObservations>

export const ObservationsResponse = z.object({ observations: z.array(Observation) })
