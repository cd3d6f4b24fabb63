import { glob, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { api } from '../../contract/src/api.ts'
import type { Endpoint } from '../../contract/src/endpoint.ts'
import { markPure } from '../../web/build/mark-pure.ts'
import { run } from './run.ts'
import { root } from './sources.ts'

/** Builds the client into `folder` as JavaScript that imports no other package, with its types. */
export async function buildClient(folder: string): Promise<void> {
  const source = join(root, 'client/src')
  const bundle = await rolldown({
    input: { rest: join(source, 'rest.ts'), realtime: join(source, 'realtime.ts') },
    platform: 'neutral',
    external: ['zod'],
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
    plugins: [tableOfCalls(), pureContract()],
    logLevel: 'warn',
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' })
  await bundle.close()
  await writeTypes(join(folder, 'types'))
}

/** The method and path of each call, in place of the contract's validators. */
function tableOfCalls(): Plugin {
  const id = 'table-of-calls'
  const table = Object.fromEntries(
    Object.entries<Endpoint>(api).map(([name, { method, path, consumes, produces }]) => [
      name,
      { method, path, consumes, produces },
    ]),
  )
  return {
    name: id,
    resolveId: (wanted) => (wanted === '@loci/contract/api' ? id : undefined),
    load: (wanted) => (wanted === id ? `export const api = ${JSON.stringify(table)}` : undefined),
  }
}

/** Lets a bundler drop the contract's schemas where only a constant beside them is used. */
function pureContract(): Plugin {
  const contract = join(root, 'contract/src')
  return {
    name: 'pure-contract',
    transform(code, id) {
      return id.startsWith(contract) ? markPure(code, this.parse(code, { lang: 'ts' })) : undefined
    },
  }
}

async function writeTypes(folder: string): Promise<void> {
  const config = join(import.meta.dirname, 'client.tsconfig.json')
  await run('npx', ['tsc', '-p', config, '--outDir', folder], root)
  for await (const path of glob(`${folder}/**/*.d.ts`)) {
    const contract = relative(dirname(path), join(folder, 'contract/src')) || '.'
    const types = await readFile(path, 'utf8')
    await writeFile(path, resolveImports(types, contract.startsWith('.') ? contract : `./${contract}`))
  }
}

/** Rewrites imports for the package: to JavaScript files, and to the contract's place in it. */
function resolveImports(types: string, contract: string): string {
  return types
    .replaceAll(/(from |import\()(['"])@loci\/contract\/([\w-]+)\2/g, `$1$2${contract}/$3.js$2`)
    .replaceAll(/(from |import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2')
}
