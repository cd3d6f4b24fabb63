import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

type Group = Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>
type Groups = NonNullable<Group['groups']>
type Context = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }

const sources = fileURLToPath(new URL('../src/', import.meta.url))

/** Libraries of lists and forms, which neither the shell nor the dashboard has. */
const later = /[\\/](virtual-core|react-virtual|Select|PasswordInput|Switch|Tabs)[\\/]/

/**
 * The files of the app. Left alone, a bundler makes one of every set of screens that share something: 150 for the
 * dashboard, each with its own trip to the server. These few hold what is shared: what is needed before the first screen,
 * what the shell, the dashboard and libraries share with other screens, and what is left.
 */
export function chunks(): Groups {
  const firstScreen = reachedFrom('app/shell/shell.tsx', 'app/pages/dashboard-page.tsx')
  const groups: [string, (id: string, context: Context) => boolean, Partial<Groups[number]>][] = [
    ['app', () => true, { tags: ['$initial'] }],
    ['shell', (id, context) => isEarly(id) || firstScreen(id, context), { minShareCount: 2 }],
    ['screens', () => true, { minShareCount: 2 }],
  ]
  return groups.map(([name, belongs, rest], index) => ({
    name: (id, context) => (isOfApp(id, context) && belongs(id, context) ? name : null),
    debugName: name,
    priority: groups.length - index,
    includeDependenciesRecursively: false,
    ...rest,
  }))
}

const isEarly = (id: string) => id.includes('node_modules') && !later.test(id)

const apart = reachedFrom('public.ts', 'early.ts')
/** The public pages and what runs ahead of the app share next to nothing with it, and must not load its files. */
const isOfApp = (id: string, context: Context) => !id.endsWith('.html') && !apart(id, context)

/** Tells whether some of our own files need a file at once. Not of libraries: their index files import everything. */
function reachedFrom(...starts: string[]): (id: string, context: Context) => boolean {
  let reached: Set<string> | undefined
  return (id, context) => {
    reached ??= closureOf(starts, context)
    return reached.has(id)
  }
}

function closureOf(starts: readonly string[], context: Context): Set<string> {
  const reached = new Set(starts.map((path) => sources + path))
  for (const id of reached) {
    if (id.includes('node_modules')) continue
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) reached.add(imported)
  }
  return reached
}
