import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as placement from './placement.ts'

/** Replaces `placement.ts` in the published package (`scripts/pack/`), which contains such files itself. */
export const isPublished: typeof placement.isPublished = true

export const webAppFolder: typeof placement.webAppFolder = join(import.meta.dirname, '../../web/dist')

export const hooksFolder: typeof placement.hooksFolder = join(
  import.meta.dirname,
  '../../plugins/claude-code/hooks',
)

export const packageFile: typeof placement.packageFile = (specifier) =>
  fileURLToPath(new URL(`./files/${specifier}`, import.meta.url))
