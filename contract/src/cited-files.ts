import { z } from 'zod'
import { listOf } from './checked-first.ts'
import { NextCursor, PageQuery } from './lists.ts'
import { CitedFile, Observation, StaleFile } from './observations.ts'
import { text } from './text.ts'

/** Most files in one verification. */
export const verifiedFilesMax = 2_000

/** A file as it is now: the hash of these lines, or of the whole file; null if there is no such file. */
const FileNow = CitedFile.pick({ path: true, lines: true }).extend({
  hash: text(1, 128, 'Hash').nullable(),
})
export type FileNow = z.infer<typeof FileNow>

/** Body of `POST /api/observations/verify`. Facts that name no repository are compared too. */
export const VerifyObservations = z.object({
  repository: text(1, 1_024, 'Repository'),
  files: listOf(FileNow, verifiedFilesMax),
})
export type VerifyObservations = z.infer<typeof VerifyObservations>

export const VerifyResponse = z.object({
  /** An observation for each of the files that is no longer as it was. */
  stale: z.array(
    StaleFile.pick({ path: true, lines: true, reason: true }).extend({ observationId: z.string() }),
  ),
  /** Number of observations whose files are all as they were. */
  confirmed: z.number().int(),
})
export type VerifyResponse = z.infer<typeof VerifyResponse>

/** Facts that name this repository, and those that name none. */
export const ListCitedQuery = PageQuery.extend({ repository: text(1, 1_024, 'Repository') })
export type ListCitedQuery = z.infer<typeof ListCitedQuery>
export const ListStaleQuery = PageQuery
export type ListStaleQuery = z.infer<typeof ListStaleQuery>

/** Facts whose source is this conversation, whatever their state. */
export const ListSourcedQuery = PageQuery.extend({ conversation: text(1, 128, 'Conversation') })
export type ListSourcedQuery = z.infer<typeof ListSourcedQuery>

const FactOfEntity = Observation.extend({
  entity: z.object({ id: z.string(), name: z.string(), type: z.string() }),
})
export type FactOfEntity = z.infer<typeof FactOfEntity>

/** In order of insertion. */
export const FactsResponse = z.object({ observations: z.array(FactOfEntity), nextCursor: NextCursor })
export type FactsResponse = z.infer<typeof FactsResponse>
