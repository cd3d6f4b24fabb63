import { fileURLToPath } from 'node:url'
import type * as placement from './placement.ts'

/** Stands in for `placement.ts` in the published package (`scripts/pack/`), which carries such files itself. */
export const isPublished: typeof placement.isPublished = true

export const packageFile: typeof placement.packageFile = (specifier) =>
  fileURLToPath(new URL(`./files/${specifier}`, import.meta.url))
