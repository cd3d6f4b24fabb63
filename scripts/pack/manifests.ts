import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { program } from '../../contract/src/program.ts'
import { oldestNode } from '../../server/bin/oldest-node.js'
import { version } from '../../server/src/ground/version.ts'
import { root } from './sources.ts'

type Versions = Record<string, string>

const readManifest = async (workspace: string) =>
  JSON.parse(await readFile(join(root, workspace, 'package.json'), 'utf8'))

const shared = {
  version,
  type: 'module',
  license: 'UNLICENSED',
  engines: { node: `>=${oldestNode}` },
}

/** `package.json` of the program. All its imports are bundled; npm adds the one native extension if it can. */
export async function programManifest() {
  const { optionalDependencies }: { optionalDependencies: Versions } = await readManifest('server')
  return {
    name: program.packageName,
    ...shared,
    description: program.description,
    mcpName: program.registryName,
    keywords: ['mcp', 'memory', 'knowledge-graph', 'ai', 'agents'],
    bin: { [program.name]: 'server/bin/loci.js' },
    optionalDependencies,
  }
}

/** `package.json` of the client. Only its types need zod: those of each call come from the contract's schemas. */
export async function clientManifest(): Promise<object> {
  const { dependencies }: { dependencies: Versions } = await readManifest('contract')
  const entry = (name: string) => ({ types: `./types/client/src/${name}.d.ts`, default: `./${name}.js` })
  return {
    name: program.clientPackageName,
    ...shared,
    description: `Typed REST and realtime client of ${program.title}, a memory for AI agents`,
    keywords: ['mcp', 'memory', 'knowledge-graph', 'client'],
    exports: { '.': entry('rest'), './rest': entry('rest'), './realtime': entry('realtime') },
    sideEffects: false,
    dependencies,
  }
}
