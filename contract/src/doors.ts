import { z } from 'zod'
import { IsoDateTime, QueryText, text } from './text.ts'

/** How far a key or a connection gets into a space. */
export const Door = z.enum(['none', 'read', 'propose', 'write'])
export type Door = z.infer<typeof Door>

/** A space by id or name, and how far a key gets into it from now on. */
export const SetDoor = z.object({ space: text(1, 128, 'Space'), opens: Door })
export type SetDoor = z.infer<typeof SetDoor>

/** Doors of single spaces, by id. */
export const DoorsBySpace = z.record(z.string(), Door)
export type DoorsBySpace = z.infer<typeof DoorsBySpace>

/** The newest call of a credential in a space. `what` is the tool, or the kind and subject of another call. */
export const DoorCall = z.object({
  /** Id of a key, a connection, or the person whose personal key it is. */
  credential: z.string(),
  spaceId: z.string(),
  at: IsoDateTime,
  what: z.string(),
  /** Whether its rights did not suffice. */
  isRefused: z.boolean(),
})
export type DoorCall = z.infer<typeof DoorCall>
export const DoorCallsResponse = z.object({ calls: z.array(DoorCall) })

/** What can be tried through a door: a read, or a write that is not carried out. */
export const TriedTool = z.enum(['recall', 'add_observations'])
export type TriedTool = z.infer<typeof TriedTool>

/** Body of `POST /api/doors/try`. */
export const TryDoor = z.object({
  /** Id of a key or a connection, or `personal`. */
  credential: text(1, 64, 'Credential'),
  space: text(1, 128, 'Space'),
  tool: TriedTool.default('recall'),
  /** The question, or the fact. */
  text: QueryText,
})
export type TryDoor = z.infer<typeof TryDoor>

/** `stored` and `proposed` say what would have happened. `text` is what the agent reads. */
export const DoorTrial = z.object({
  outcome: z.enum(['answered', 'stored', 'proposed', 'refused']),
  text: z.string(),
  observations: z.number().int(),
  tokens: z.number().int(),
  ms: z.number().int(),
})
export type DoorTrial = z.infer<typeof DoorTrial>
