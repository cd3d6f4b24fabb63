import { z } from 'zod'
import { IsoDateTime, MomentInput, nameText, StorableText } from './text.ts'

/** Most entities on a shared page; of a larger view, the first. */
export const sharedEntitiesMax = 200
/** Most shares per space. */
export const sharesMax = 100

const Id = StorableText.min(1).max(128)
const common = {
  /** Heading of the page; by default the name of what it shows. */
  title: nameText(128, 'Title').optional(),
  /** A sentence for those who open it. */
  note: nameText(300, 'Note').optional(),
}

/** What a shared page shows. */
export const ShareView = z.discriminatedUnion('kind', [
  /** A region of the map, by its id: see `MapRegion`. */
  z.object({ kind: z.literal('region'), regionId: Id, ...common }),
  /** The shortest path between two entities. */
  z.object({ kind: z.literal('path'), from: Id, to: Id, ...common }),
  /** An entity, and the names of what it is linked to. */
  z.object({ kind: z.literal('entity'), entityId: Id, ...common }),
  /** The most connected entities as of a moment. */
  z.object({ kind: z.literal('date'), asOf: MomentInput, ...common }),
])
export type ShareView = z.infer<typeof ShareView>

export const CreateShare = z.object({
  view: ShareView,
  /** By default it ends when somebody ends it. */
  expiresAt: MomentInput.optional(),
})
export type CreateShare = z.infer<typeof CreateShare>

export const Share = z.object({
  id: z.string(),
  kind: z.enum(['region', 'path', 'entity', 'date']),
  title: z.string(),
  /** How many entities the page shows. */
  entities: z.number().int(),
  createdAt: IsoDateTime,
  /** Null if it does not end by itself. */
  expiresAt: IsoDateTime.nullable(),
  createdBy: z.object({ name: z.string() }),
})
export type Share = z.infer<typeof Share>

/** `url` holds the secret; it is shown this once. */
export const CreatedShare = z.object({ share: Share, url: z.string() })
export type CreatedShare = z.infer<typeof CreatedShare>
/** Newest first, those that have expired too. */
export const SharesResponse = z.object({ shares: z.array(Share) })
