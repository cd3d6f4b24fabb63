import { createRequire } from 'node:module'
import { join } from 'node:path'

/** False in a clone of the repository. The published package is built with `placement-published.ts` instead. */
export const isPublished: boolean = false

/** The folder of the built web app. */
export const webAppFolder: string = join(import.meta.dirname, '../../../../web/dist')

/** The hooks that tell an agent what is known. */
export const hooksFolder: string = join(import.meta.dirname, '../../../../plugins/claude-code/hooks')

/** The path of a file in a package that this program needs on disk, such as `@fastify/swagger-ui/static/a.css`. */
export function packageFile(specifier: string): string {
  return createRequire(import.meta.url).resolve(specifier)
}
