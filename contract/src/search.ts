import { z } from 'zod'
import { Entity } from './entities.ts'
import { CommaList, IsoDateTime, MomentInput, QueryBoolean, QueryText, queryInteger } from './text.ts'

export const searchLimitDefault = 20
export const searchLimitMax = 500

/** Start (inclusive) and end (exclusive) of a match, in UTF-16 code units of `content`. */
export const Highlight = z.tuple([z.number().int(), z.number().int()])

const SearchFilter = z.object({
  query: QueryText,
  types: CommaList.optional(),
  limit: queryInteger(1, searchLimitMax, searchLimitDefault),
  /** Also what the graph connects to the best hits. */
  expand: QueryBoolean,
  /** Bounds of the observation's createdAt: after is inclusive, before exclusive. */
  after: MomentInput.optional(),
  before: MomentInput.optional(),
  /** Adds the parts of each score. */
  explain: QueryBoolean,
})

export const SearchQuery = SearchFilter
export type SearchQuery = z.infer<typeof SearchQuery>

export const SearchObservationsQuery = SearchFilter.extend({
  /** Neighbours on each side, same entity. */
  context: queryInteger(0, 10, 1),
})
export type SearchObservationsQuery = z.infer<typeof SearchObservationsQuery>

/** Named parts that add up to a score, for `explain=true`. */
export const ScoreParts = z.record(z.string(), z.number())

export const ObservationMatch = z.object({
  observationId: z.string(),
  content: z.string(),
  createdAt: IsoDateTime,
  score: z.number(),
  highlights: z.array(Highlight),
})
export type ObservationMatch = z.infer<typeof ObservationMatch>

export const SearchResponse = z.object({
  results: z.array(
    z.object({
      entity: Entity,
      score: z.number(),
      matches: z.array(ObservationMatch),
      explain: ScoreParts.optional(),
    }),
  ),
  total: z.number().int(),
})
export type SearchResponse = z.infer<typeof SearchResponse>

export const NeighbourObservation = z.object({ id: z.string(), content: z.string(), createdAt: IsoDateTime })

export const ObservationHit = z.object({
  id: z.string(),
  content: z.string(),
  createdAt: IsoDateTime,
  score: z.number(),
  highlights: z.array(Highlight),
  entity: z.object({ id: z.string(), name: z.string(), type: z.string() }),
  before: z.array(NeighbourObservation),
  after: z.array(NeighbourObservation),
  explain: ScoreParts.optional(),
})
export type ObservationHit = z.infer<typeof ObservationHit>

export const SearchObservationsResponse = z.object({
  observations: z.array(ObservationHit),
  total: z.number().int(),
})
export type SearchObservationsResponse = z.infer<typeof SearchObservationsResponse>
