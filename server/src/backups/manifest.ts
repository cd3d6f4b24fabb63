import { z } from 'zod'

/** The files of a backup, in their order in the archive: nothing is read before it is known what it should be. */
export const manifestName = 'manifest.json'
export const secretName = 'secret'
export const databaseName = 'loci.db'

export const backupVersion = 1

const Content = z.object({ bytes: z.number().int().nonnegative(), sha256: z.string() })

/** What a backup says of itself. */
export const Manifest = z.object({
  format: z.literal('loci-backup'),
  version: z.number().int(),
  madeBy: z.string(),
  createdAt: z.iso.datetime(),
  secret: Content,
  database: Content,
})
export type Manifest = z.infer<typeof Manifest>
