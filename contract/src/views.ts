import { z } from 'zod'
import { IsoDateTime, nameText, text } from './text.ts'

/** Most saved views per space, and most named regions. */
export const viewsMax = 100
export const regionNamesMax = 500

const pinsMax = 500
export const regionNameMax = 80

const Coordinate = z.number().min(-1e7).max(1e7)

/** How the graph screen shows the graph. */
const ViewState = z.object({
  /** The query string of the graph screen, without the question mark. */
  search: text(0, 8_192, 'Search'),
  /** Centre of the view in graph units, and pixels per graph unit. */
  camera: z.object({ x: Coordinate, y: Coordinate, k: z.number().positive().max(1e3) }).optional(),
  /** Positions of pinned entities, by id. */
  pins: z
    .record(z.string().max(128), z.tuple([Coordinate, Coordinate]))
    .refine((pins) => Object.keys(pins).length <= pinsMax, `Must hold at most ${pinsMax} pins`)
    .optional(),
})
export type ViewState = z.infer<typeof ViewState>

const ViewName = nameText(128, 'Name').transform((value) => value.trim())

/** A named view of the graph screen; every member of the account sees it. */
export const SavedView = ViewState.extend({
  id: z.string(),
  /** Unique in its space. */
  name: z.string(),
  createdBy: z.object({ name: z.string() }),
  createdAt: IsoDateTime,
  updatedAt: IsoDateTime,
})
export type SavedView = z.infer<typeof SavedView>

export const CreateView = ViewState.extend({ name: ViewName })
export type CreateView = z.infer<typeof CreateView>

/** Omitted fields are unchanged. */
export const UpdateView = CreateView.partial().refine(
  (change) => Object.values(change).some((value) => value !== undefined),
  { error: 'Must have name, search, camera or pins' },
)
export type UpdateView = z.infer<typeof UpdateView>

export const ViewsResponse = z.object({ views: z.array(SavedView) })
export const ViewResponse = z.object({ view: SavedView })

/** Names that people gave to regions of the graph, keyed by the id of an entity in each. */
export const RegionNamesResponse = z.object({ names: z.record(z.string(), z.string()) })
export const NameRegion = z.object({
  name: nameText(regionNameMax, 'Name').transform((value) => value.trim()),
})
export type NameRegion = z.infer<typeof NameRegion>
export const RegionNameResponse = z.object({ entityId: z.string(), name: z.string() })
