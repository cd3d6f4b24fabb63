import { z } from 'zod'
import { ChangeActor } from './change-actor.ts'
import { Entity } from './entities.ts'
import { NextCursor } from './lists.ts'
import { Metadata } from './metadata.ts'
import { Observation, ObservationState, States } from './observations.ts'
import {
  BodyBoolean,
  BodyList,
  bodyInteger,
  CommaList,
  IsoDateTime,
  MomentBound,
  QueryBoolean,
  QueryText,
  queryInteger,
} from './text.ts'

export const searchLimitDefault = 20
export const searchLimitMax = 500

/** Start (inclusive) and end (exclusive) of a match, in UTF-16 code units of `content`. */
export const Highlight = z.tuple([z.number().int(), z.number().int()])

const SearchFilter = z.object({
  query: QueryText,
  types: CommaList.optional(),
  limit: queryInteger(1, searchLimitMax, searchLimitDefault),
  /** The `nextCursor` of the previous page. */
  cursor: z.string().max(4096).optional(),
  /** Also include what the graph connects to the best hits. */
  expand: QueryBoolean,
  /**
   * Bounds of when it was true (`at` and `until`, else the dates in its text, else `createdAt`): `after` is
   * inclusive, `before` exclusive. What is dated by the day is compared in the calendar of their offset.
   */
  after: MomentBound.optional(),
  before: MomentBound.optional(),
  /** Bounds of when it was stored, its `createdAt`. */
  storedAfter: MomentBound.optional(),
  storedBefore: MomentBound.optional(),
  states: States,
  /** Adds the components of each score. */
  explain: QueryBoolean,
  /** `by` adds who wrote each observation. */
  include: CommaList.optional(),
})

export const SearchQuery = SearchFilter
export type SearchQuery = z.infer<typeof SearchQuery>

export const SearchObservationsQuery = SearchFilter.extend({
  /** Neighbours on each side, within the same entity. */
  context: queryInteger(0, 10, 1),
})
export type SearchObservationsQuery = z.infer<typeof SearchObservationsQuery>

const bodyFields = {
  states: BodyList.pipe(z.array(ObservationState)).optional(),
  types: BodyList.optional(),
  include: BodyList.optional(),
  limit: bodyInteger(1, searchLimitMax, searchLimitDefault),
  expand: BodyBoolean,
  explain: BodyBoolean,
}

/** A search whose text is too long for a URL; fields can have JSON types or be strings as in a URL. */
export const SearchBody = SearchFilter.extend(bodyFields)

export const SearchObservationsBody = SearchObservationsQuery.extend({
  ...bodyFields,
  context: bodyInteger(0, 10, 1),
})

/** Body of `POST /api/search/recall`. */
export const RecallPreview = SearchBody.pick({
  query: true,
  types: true,
  after: true,
  before: true,
  storedAfter: true,
  storedBefore: true,
})
export type RecallPreview = z.infer<typeof RecallPreview>

/** The text that the tool `recall` would return to an agent, and its approximate number of tokens. */
export const RecallPreviewResponse = z.object({
  text: z.string(),
  tokens: z.number().int(),
  observations: z.number().int(),
})
export type RecallPreviewResponse = z.infer<typeof RecallPreviewResponse>

/** Named parts that add up to a score, for `explain=true`. */
export const ScoreParts = z.record(z.string(), z.number())

/** When an observation was true, and whether it still is. */
const told = Observation.pick({
  at: true,
  until: true,
  expiresAt: true,
  replacedBy: true,
  stale: true,
  state: true,
}).shape

export const ObservationMatch = z.object({
  observationId: z.string(),
  content: z.string(),
  createdAt: IsoDateTime,
  ...told,
  score: z.number(),
  highlights: z.array(Highlight),
  by: ChangeActor.optional(),
})
export type ObservationMatch = z.infer<typeof ObservationMatch>

const NamedEntity = z.object({ id: z.string(), name: z.string(), type: z.string() })

/**
 * A relation that answers the question; the score is 1 if the question asks for exactly its type and
 * ends.
 */
export const RelationHit = z.object({
  id: z.string(),
  from: NamedEntity,
  relationType: z.string(),
  to: NamedEntity,
  createdAt: IsoDateTime,
  score: z.number(),
})
export type RelationHit = z.infer<typeof RelationHit>

/** An entity that the question names, lists or describes by its metadata. */
export const EntityHit = NamedEntity.extend({
  metadata: Metadata,
  observationsCount: z.number().int(),
  score: z.number(),
})
export type EntityHit = z.infer<typeof EntityHit>

/** How a question was interpreted, where that is not obvious. Empty fields are omitted. */
export const Understanding = z.object({
  /** Words that occur in nothing stored. */
  unknown: z.array(z.string()).optional(),
  /** Words that were searched for in place of unknown ones. */
  guesses: z.array(z.object({ word: z.string(), taken: z.array(z.string()) })).optional(),
  /** Entities whose names are close to those in the question. */
  near: z
    .array(
      z.object({ word: z.string(), entities: z.array(z.object({ name: z.string(), type: z.string() })) }),
    )
    .optional(),
  /** Periods that the question names; `to` is exclusive. */
  times: z.array(z.object({ from: IsoDateTime, to: IsoDateTime })).optional(),
  /** Types whose entities the question asks to list, and their number. */
  listed: z.object({ types: z.array(z.string()), total: z.number().int() }).optional(),
})
export type Understanding = z.infer<typeof Understanding>

export const SearchResponse = z.object({
  results: z.array(
    z.object({
      entity: Entity,
      score: z.number(),
      matches: z.array(ObservationMatch),
      explain: ScoreParts.optional(),
    }),
  ),
  /** The relations that answer the question, best first. */
  relations: z.array(RelationHit),
  understood: Understanding,
  total: z.number().int(),
  /** Where the results continue: a page ends at `limit`, or earlier if its texts are long. */
  nextCursor: NextCursor,
})
export type SearchResponse = z.infer<typeof SearchResponse>

export const NeighbourObservation = z.object({
  id: z.string(),
  content: z.string(),
  createdAt: IsoDateTime,
  ...told,
})

export const ObservationHit = z.object({
  ...NeighbourObservation.shape,
  score: z.number(),
  highlights: z.array(Highlight),
  entity: z.object({ id: z.string(), name: z.string(), type: z.string() }),
  before: z.array(NeighbourObservation),
  after: z.array(NeighbourObservation),
  by: ChangeActor.optional(),
  explain: ScoreParts.optional(),
})
export type ObservationHit = z.infer<typeof ObservationHit>

export const SearchObservationsResponse = z.object({
  observations: z.array(ObservationHit),
  /** The relations that answer the question, best first. */
  relations: z.array(RelationHit),
  /** The entities that the question is about, best first, including those without observations. */
  entities: z.array(EntityHit),
  understood: Understanding,
  total: z.number().int(),
  /** Where the observations continue: a page ends at `limit`, or earlier if its texts are long. */
  nextCursor: NextCursor,
})
export type SearchObservationsResponse = z.infer<typeof SearchObservationsResponse>
