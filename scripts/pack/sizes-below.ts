import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The sizes in bytes of all files in a folder and below. */
export async function sizesBelow(folder: string): Promise<number[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size))
}
