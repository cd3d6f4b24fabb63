import { z } from 'zod'
import { isBase64 } from './place-codec.ts'

/** Most entities on the map of a space, and most regions. */
export const mapPlacesMax = 100_000
export const mapRegionsMax = 2_000
export const tintsMax = 8

/** Bytes of a place in base 64, at most: see `encodePlaces`. */
const placeCharactersMax = 12
export const placesBytesMax = 2 * 1024 * 1024

/** A region of the map. */
export const MapRegion = z.object({
  /** The entity that the region was first named after; the same for as long as the region exists. */
  id: z.string().max(16),
  tint: z
    .number()
    .int()
    .min(0)
    .max(tintsMax - 1),
})
export type MapRegion = z.infer<typeof MapRegion>

const Places = z
  .string()
  .max(placeCharactersMax * mapPlacesMax, 'Must hold the places of at most 100,000 entities')

/**
 * The map as it should be, with `If-Match`; without it, places to add, or with `moves` to change. `places` is base 64 of
 * bytes in the form that `encodePlaces` of this package writes.
 */
export const PutGraphPlaces = z.object({
  regions: z.array(MapRegion).max(mapRegionsMax),
  places: Places.refine(isBase64, 'Must be base 64'),
  /** These entities move from where they are, and the rest of the map stays. Otherwise the first place stands. */
  moves: z.boolean().optional(),
})
export type PutGraphPlaces = z.infer<typeof PutGraphPlaces>

export const GraphPlacesQuery = z.object({
  /** A version that the caller has: if it is the newest, `places` and `regions` are left out. */
  known: z.string().max(20).optional(),
})
export type GraphPlacesQuery = z.infer<typeof GraphPlacesQuery>

/** Where everything is on the map of a space. */
export const GraphPlaces = z.object({
  /** Increases with every change; 0 while nobody has drawn the map. Also the `ETag`. */
  version: z.number().int(),
  regions: z.array(MapRegion).optional(),
  places: z.string().optional(),
  /** The names of the entities that regions are named after, in the order of the regions; empty for deleted ones. */
  hubs: z.array(z.string()).optional(),
  /** Names that people gave to regions, keyed by the id of an entity in each. */
  names: z.record(z.string(), z.string()),
})
export type GraphPlaces = z.infer<typeof GraphPlaces>

/** The places of the entities that a call named, as they are stored now. */
export const StoredGraphPlaces = z.object({
  version: z.number().int(),
  /** The version before: a caller that had an older one lacks changes of others. */
  before: z.number().int(),
  regions: z.array(MapRegion),
  places: z.string(),
})
export type StoredGraphPlaces = z.infer<typeof StoredGraphPlaces>
