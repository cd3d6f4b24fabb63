import { z } from 'zod'

/** The files of a backup. The manifest comes first, so that each file can be verified while it is read. */
export const manifestName = 'manifest.json'
export const secretName = 'secret'
export const databaseName = 'loci.db'

export const backupVersion = 1

const Content = z.object({ bytes: z.number().int().nonnegative(), sha256: z.string() })

/** The contents and origin of a backup. */
export const Manifest = z.object({
  format: z.literal('loci-backup'),
  version: z.number().int(),
  madeBy: z.string(),
  createdAt: z.iso.datetime(),
  secret: Content,
  database: Content,
})
export type Manifest = z.infer<typeof Manifest>
