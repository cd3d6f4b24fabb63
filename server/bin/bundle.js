// Plain JavaScript, as loci.js: where the bundled program is, made by scripts/bundle-server.mjs.
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const directories = ['server/src', 'contract/src', 'client/src']
const others = ['package-lock.json', 'scripts/bundle-server.mjs', 'scripts/start-chunk.mjs']

export const bundlesDirectory = join(root, 'server', 'dist')

/** The first file of the bundle that was made of the sources as they are now, in this place; it may not be there. */
export function bundleOfSources() {
  const hash = createHash('sha256')
  let seen = root
  for (const file of [...others, ...directories.flatMap(sourcesBelow)]) {
    const found = statSync(root + file, { throwIfNoEntry: false })
    if (found?.isFile()) seen += `${file} ${found.size} ${found.mtimeMs}\n`
  }
  return join(bundlesDirectory, hash.update(seen).digest('hex').slice(0, 16), 'main.js')
}

/** Every start waits for it: `recursive`, which looks at each file once more, takes 30 ms of processor time longer. */
function sourcesBelow(directory) {
  const path = `${root}${directory}`
  return readdirSync(path, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const name = `${directory}/${entry.name}`
      if (entry.isDirectory()) return sourcesBelow(name)
      return name.endsWith('.test.ts') ? [] : [name]
    })
}
