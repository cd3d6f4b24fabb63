import { glob } from 'node:fs/promises'
import { join } from 'node:path'

/** The repository. */
export const root = join(import.meta.dirname, '../..')

/** The modules below a folder, without tests. */
export async function sourcesBelow(folder: string): Promise<string[]> {
  const paths: string[] = []
  for await (const path of glob(`${folder}/**/*.ts`)) if (!path.endsWith('.test.ts')) paths.push(path)
  return paths.sort()
}
