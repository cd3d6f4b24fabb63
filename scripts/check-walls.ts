// Checks all imports against the layers in docs/architecture.md, and that exported names are unique on the server.
// Prints each violation.
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

type Wall = { of: RegExp; mayNotImport: RegExp; because: string }

const walls: Wall[] = [
  {
    of: /^contract\/(?!.*\.test\.ts$)/,
    mayNotImport: /^(?!contract\/|zod$)/,
    because: 'contract imports zod and nothing else',
  },
  { of: /^client\//, mayNotImport: /^(server|web)\//, because: 'the client is made from the contract' },
  { of: /^web\//, mayNotImport: /^server\//, because: 'the web app talks to the server over the wire' },
  { of: /^server\//, mayNotImport: /^web\//, because: 'the server serves built files' },
  {
    of: /^server\/src\/lib\//,
    mayNotImport: /^server\/src\/(?!lib\/|errors\/app-error)/,
    because: 'lib knows no noun of ours',
  },
  {
    of: /^server\/src\/(db|auth|changes|followers|graph|leases|mails|usage)\//,
    mayNotImport: /^server\/src\/(features|mcp|http|commands)\//,
    because: 'the core does not know its doors',
  },
  {
    of: /^server\/src\/features\//,
    mayNotImport: /^server\/src\/(mcp|commands)\//,
    because: 'services do not know their doors',
  },
  {
    of: /^server\/src\/(?!.*\.repo|db\/|open-context|context).*(?<!\.test)\.ts$/,
    mayNotImport: /^kysely$/,
    because: 'only repos and db speak SQL',
  },
  {
    of: /^server\/(?!src\/graph\/)/,
    mayNotImport: /^server\/src\/graph\/.*\.writes\.repo\.ts$/,
    because: 'graph/ is the one way to change a graph',
  },
  {
    of: /^graph-engine\//,
    mayNotImport: /^(?!(graph-engine|e2e)\/|d3-|node:|vite|playwright)/,
    because: 'the graph engine stands alone',
  },
  {
    of: /^web\/src\/(ui|lib)\//,
    mayNotImport: /^web\/src\/(features|app)\//,
    because: 'imports in the web app run downwards',
  },
  {
    of: /^web\/src\/features\//,
    mayNotImport: /^web\/src\/app\//,
    because: 'imports in the web app run downwards',
  },
]

const packages: Record<string, string> = {
  '@loci/contract': 'contract/src',
  '@loci/client': 'client/src',
  '@loci/graph': 'graph-engine/src',
  loci: 'server/src',
}

/** Files that export the same names on purpose: migrations by table, and what replaces a file in the package. */
const mayRepeatNames = /\.test\.|\/migrations\/|-published\.ts$/

const breaches: string[] = []
const exportedBy = new Map<string, string>()
for await (const file of glob('{contract,client,graph-engine,server,web}/src/**/*.{ts,tsx}')) {
  const path = file.replaceAll('\\', '/')
  for (const target of importsOf(path)) breaches.push(...breachesOf(path, target))
  if (path.startsWith('server/') && !mayRepeatNames.test(path)) breaches.push(...repeatedNames(path))
}
for (const breach of breaches.sort()) console.error(breach)
if (breaches.length > 0) process.exitCode = 1

/** On the server one name has one meaning: no two files export the same one. */
function repeatedNames(file: string): string[] {
  const exported = readFileSync(file, 'utf8').matchAll(
    /^export (?:async )?(?:function\*?|const|class|type) (\w+)/gm,
  )
  return [...new Set([...exported].map(([, name]) => name!))].flatMap((name) => {
    const other = exportedBy.get(name)
    exportedBy.set(name, file)
    return other === undefined ? [] : [`${file} exports ${name}, and so does ${other}`]
  })
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const found = text.matchAll(
    /^\s*(?:import|export)\b[^'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/gm,
  )
  return [...found].map(([, fixed, dynamic]) => resolveImport(file, fixed ?? dynamic ?? ''))
}

function resolveImport(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative('.', join(dirname(file), specifier)).replaceAll('\\', '/')
  const owner = Object.keys(packages).find((name) => specifier.startsWith(`${name}/`))
  return owner === undefined ? specifier : `${packages[owner]}${specifier.slice(owner.length)}.ts`
}

function breachesOf(file: string, target: string): string[] {
  const broken = walls
    .filter((wall) => wall.of.test(file) && wall.mayNotImport.test(target))
    .map((wall) => wall.because)
  const feature = (path: string) => /^(?:server|web)\/src\/features\/([^/]+)\//.exec(path)?.[1]
  const here = feature(file)
  const there = feature(target)
  if (here !== undefined && there !== undefined && here !== there) {
    if (target.startsWith('web/')) broken.push('a feature of the web app never imports another')
    else if (target.endsWith('.repo.ts')) broken.push("a feature may call another's service, never its repo")
  }
  return broken.map((because) => `${file} imports ${target}: ${because}`)
}
