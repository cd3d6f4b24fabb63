import { cp, mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown'
import { startChunk } from '../start-chunk.mjs'
import { root, sourcesBelow } from './sources.ts'

const source = join(root, 'server/src')
const require = createRequire(join(source, 'main.ts'))

/** Native, or far larger than the program: npm installs them beside it if it can, or users do. */
const external = ['sqlite-vec', '@huggingface/transformers']

const threadPattern = /new URL\('(\.\/[\w-]+)\.ts', import\.meta\.url\)/g
const dataPattern = /new URL\('(\.\/[\w-]+\.(?:json|ttf|bin))', import\.meta\.url\)/g
const packageFilePattern = /packageFile\('([^']+)'\)/g
const lateRequirePattern = /\bload\('([\w-]+)'\)/g

/** Keeps function names, so that stack traces stay readable. */
const output: OutputOptions = {
  minify: {
    compress: true,
    mangle: { toplevel: false, keepNames: true },
    codegen: { removeWhitespace: true },
  },
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
}

/**
 * Bundles the server and all its imports into `folder`, which then needs no other package. Threads are
 * started by file name, so they keep theirs; files that the program reads lie beside the code. Returns the folders of the
 * packages whose code or files it contains.
 */
export async function bundleProgram(folder: string): Promise<string[]> {
  const places = await findPlaces()
  const threads = places.threads.map((path) => [basename(path, '.ts'), path])
  const main = join(source, 'main.ts')
  const modules = await build(
    folder,
    {
      input: { main, ...Object.fromEntries(threads) },
      preserveEntrySignatures: 'allow-extension',
      plugins: [published()],
    },
    { codeSplitting: startChunk(main, places.threads) },
  )
  for (const name of places.required) modules.push(...(await buildRequired(folder, name)))
  for (const path of places.data) await cp(path, join(folder, basename(path)))
  for (const specifier of places.packageFiles) {
    const target = join(folder, 'files', specifier)
    await mkdir(dirname(target), { recursive: true })
    await cp(require.resolve(specifier), target)
    modules.push(require.resolve(specifier))
  }
  return packagesAround(modules)
}

/** Folders of packages in the repository, from the paths of their modules. */
function packagesAround(modules: readonly string[]): string[] {
  const folders = modules.map(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(root, path))?.[0] ?? '',
  )
  return [...new Set(folders)].filter((folder) => folder !== '').sort()
}

/** Returns the paths of the modules that were bundled. */
async function build(dir: string, options: InputOptions, more: OutputOptions = {}): Promise<string[]> {
  const bundle = await rolldown({
    platform: 'node',
    external,
    checks: { eval: false },
    logLevel: 'warn',
    ...options,
  })
  const written = await bundle.write({ dir, format: 'esm', ...output, ...more })
  await bundle.close()
  return written.output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
}

/** Bundles a package that is loaded with `require` on first use. */
async function buildRequired(folder: string, name: string): Promise<string[]> {
  const input = { [name]: require.resolve(name) }
  return build(folder, { input }, { format: 'cjs', entryFileNames: '[name].cjs' })
}

/** The files that the sources find relative to themselves or to a package. */
async function findPlaces() {
  const threads: string[] = []
  const data: string[] = []
  const packageFiles: string[] = []
  const required: string[] = []
  for (const path of await sourcesBelow(source)) {
    const text = await readFile(path, 'utf8')
    const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!)
    threads.push(...found(threadPattern).map((name) => join(dirname(path), `${name}.ts`)))
    data.push(...found(dataPattern).map((name) => join(dirname(path), name)))
    packageFiles.push(...found(packageFilePattern))
    if (text.includes('createRequire(import.meta.url)')) required.push(...found(lateRequirePattern))
  }
  return { threads, data, packageFiles, required }
}

/** Rewrites those paths: all code of the package lies in one folder. */
function published(): Plugin {
  return {
    name: 'published',
    resolveId(id, importer) {
      if (id.endsWith('/placement.ts') && importer?.startsWith(source))
        return join(source, 'ground/lib/placement-published.ts')
      return undefined
    },
    transform(code, id) {
      // Its fonts, through a `require` that a bundler recognizes.
      if (id.endsWith('/pdfkit.node.mjs'))
        return { code: code.replaceAll(/require\$1\(/g, 'require('), map: null }
      if (!id.startsWith(source)) return undefined
      const moved = code
        .replaceAll(threadPattern, "new URL('$1.js', import.meta.url)")
        .replaceAll(lateRequirePattern, "load('./$1.cjs')")
      return moved === code ? undefined : { code: moved, map: null }
    },
  }
}
