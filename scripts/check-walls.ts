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
    of: /^server\/src\/ground\/lib\//,
    mayNotImport: /^server\/src\/(?!ground\/(lib\/|errors\/app-error))/,
    because: 'lib knows no noun of ours',
  },
  {
    of: /^server\/src\/(?!.*\.repo|store\/|search\/store\/|open-context|tenancy\/context).*(?<!\.test)\.ts$/,
    mayNotImport: /^kysely$/,
    because: 'only repos and the store speak SQL',
  },
  {
    of: /^server\/(?!src\/memory\/)/,
    mayNotImport: /^server\/src\/memory\/.*\.writes\.repo\.ts$/,
    because: 'memory/ is the one way to change a graph',
  },
  {
    of: /^server\/src\/features\/billing\/stripe\//,
    mayNotImport: /^server\/src\/features\/billing\/sandbox\//,
    because: 'the gateways do not know each other',
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

/**
 * The floors of the server, lowest first; a file imports from its own floor and those below, types included. Within
 * search and memory the rooms are floors too. Routes lie beside their feature and are doors.
 */
const floors = [
  /^ground\//,
  /^store\//,
  /^tenancy\//,
  /^rows\//,
  /^search\/analyse\//,
  /^search\/store\//,
  /^search\/ask\//,
  /^search\/meaning\//,
  /^search\/match\//,
  /^search\/rank\//,
  /^search\/find\//,
  /^memory\/versions\//,
  /^memory\/log\//,
  /^memory\/history\//,
  /^memory\/write\//,
  /^features\/.*(?<!\.routes\.ts)$/,
  /^(doors\/|features\/.*\.routes\.ts$|[\w-]+\.ts$)/,
]

const packages: Record<string, string> = {
  '@loci/contract': 'contract/src',
  '@loci/client': 'client/src',
  '@loci/graph': 'graph-engine/src',
  loci: 'server/src',
}

const fixedImport = /^\s*(?:import|export)\b[^'"]*?from\s+['"]([^'"]+)['"]/gm
const anyImport = new RegExp(`${fixedImport.source}|import\\(\\s*['"]([^'"]+)['"]`, 'gm')

/** Files that export the same names on purpose: migrations by table, and what replaces a file in the package. */
const mayRepeatNames = /\.test\.|\/migrations\/|-published\.ts$/

const breaches: string[] = []
/** What each feature of the server imports, without its routes. */
const featureImports = new Map<string, Set<string>>()
/** What each file imports when it is loaded, types included; tests left out. */
const fileImports = new Map<string, Set<string>>()
const exportedBy = new Map<string, string>()
for await (const file of glob('{contract,client,graph-engine,server,web}/src/**/*.{ts,tsx}')) {
  const path = file.replaceAll('\\', '/')
  for (const target of importsOf(path, anyImport)) breaches.push(...breachesOf(path, target))
  if (!path.includes('.test.')) fileImports.set(path, new Set(importsOf(path, fixedImport)))
  if (path.startsWith('server/') && !mayRepeatNames.test(path)) breaches.push(...repeatedNames(path))
}
for (const feature of circlesOf(featureImports))
  breaches.push(`server/src/features/${feature} imports itself through other features`)
for (const file of circlesOf(fileImports)) breaches.push(`${file} imports itself through other files`)
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

function importsOf(file: string, pattern: RegExp): string[] {
  const found = readFileSync(file, 'utf8').matchAll(pattern)
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
  broken.push(...climbsOf(file, target))
  const feature = (path: string) => /^(?:server|web)\/src\/features\/([^/]+)\//.exec(path)?.[1]
  const here = feature(file)
  const there = feature(target)
  if (here !== undefined && there !== undefined && here !== there) {
    if (target.startsWith('web/')) broken.push('a feature of the web app never imports another')
    else if (!/\.(routes|test)\.ts$/.test(file))
      featureImports.set(here, (featureImports.get(here) ?? new Set()).add(there))
    if (target.startsWith('server/') && target.endsWith('.repo.ts'))
      broken.push("a feature may call another's service, never its repo")
  }
  return broken.map((because) => `${file} imports ${target}: ${because}`)
}

function climbsOf(file: string, target: string): string[] {
  const inServer = 'server/src/'
  if (!file.startsWith(inServer) || !target.startsWith(inServer) || file.endsWith('.test.ts')) return []
  const [from, to] = [file, target].map((path) =>
    floors.findIndex((floor) => floor.test(path.slice(inServer.length))),
  )
  if (from === -1) return ['it lies on no floor']
  return to! > from! ? ['imports run downwards, from floor to floor'] : []
}

/** Whatever imports itself through others. */
function circlesOf(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of imports.get(from) ?? []) if (!seen.has(next)) reached(next, seen.add(next))
    return seen
  }
  return [...imports.keys()].filter((name) => reached(name).has(name))
}
