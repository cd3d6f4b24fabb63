// Plain JavaScript, as loci.js: where the bundled program is, made by scripts/bundle-server.mjs.
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const directories = ['server/src', 'contract/src', 'client/src']
const others = ['package-lock.json', 'scripts/bundle-server.mjs']

export const bundlesDirectory = join(root, 'server', 'dist')

/** The first file of the bundle that was made of the sources as they are now, in this place; it may not be there. */
export function bundleOfSources() {
  const hash = createHash('sha256').update(root)
  for (const file of [...others, ...directories.flatMap(sourcesBelow)]) {
    const found = statSync(join(root, file), { throwIfNoEntry: false })
    if (found?.isFile()) hash.update(`${file} ${found.size} ${found.mtimeMs}\n`)
  }
  return join(bundlesDirectory, hash.digest('hex').slice(0, 16), 'main.js')
}

function sourcesBelow(directory) {
  return readdirSync(join(root, directory), { recursive: true })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => join(directory, path))
    .sort()
}
