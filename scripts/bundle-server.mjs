// Bundles the server into a few files: finding and loading a thousand modules takes Node half a second. Only
// the start uses the bundle; if there is none for the current sources, the sources run (server/bin/loci.js).
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { bundleOfSources, bundlesDirectory } from '../server/bin/bundle.js'
import { startChunk } from './start-chunk.mjs'

/** Rarely loaded, and they read files beside their own. */
const leftOut = ['pdfkit', 'sqlite-vec']
/** A server that still runs from an older bundle can load more of it. */
const bundlesKept = 3

const bundle = dirname(bundleOfSources())
const unfinished = join(bundlesDirectory, `unfinished-${process.pid}`)
const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))
const build = await rolldown({
  input: main,
  platform: 'node',
  external: leftOut,
  preserveEntrySignatures: 'allow-extension',
  plugins: [{ name: 'places', transform: keepPlaces }],
  logLevel: 'warn',
  // A dependency (depd) evaluates code of its own, which bundling does not affect.
  checks: { eval: false },
})
await build.write({
  dir: unfinished,
  format: 'esm',
  sourcemap: true,
  sourcemapExcludeSources: true,
  codeSplitting: startChunk(main),
})
await build.close()
try {
  renameSync(unfinished, bundle)
} catch (error) {
  rmSync(unfinished, { recursive: true, force: true })
  // Ignored if another process was faster.
  if (!existsSync(bundle)) throw error
}
for (const old of newestFirst(bundlesDirectory).slice(bundlesKept))
  rmSync(old, { recursive: true, force: true })

/** Files that a module finds relative to itself, such as the web app or a worker, stay where they were. */
function keepPlaces(code, id) {
  if (!/\bimport\.meta\.(url|dirname)\b/.test(code) || id.includes('node_modules')) return undefined
  return {
    code: code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
    // Line numbers do not change.
    map: null,
  }
}

function newestFirst(directory) {
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .map((path) => ({ path, madeAt: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.madeAt - one.madeAt)
    .map(({ path }) => path)
}
