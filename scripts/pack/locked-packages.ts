import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './sources.ts'

type Entry = {
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
}

/** A package as the lock file pins it. */
export type LockedPackage = {
  /** Its folder in the repository. */
  path: string
  name: string
  version: string
  license: string
  integrity: string
  /** Paths of the packages that it needs at run time. */
  needs: string[]
}

/**
 * The packages that workspaces need at run time, directly or indirectly, sorted by path; and those needed directly.
 * `bundled` names more: optional packages that a bundler found and took along.
 */
export async function packagesOf(
  workspaces: readonly string[],
  bundled: readonly string[] = [],
): Promise<{ packages: LockedPackage[]; direct: string[] }> {
  const lock = await readFile(join(root, 'package-lock.json'), 'utf8')
  const { packages: entries }: { packages: Record<string, Entry> } = JSON.parse(lock)
  const found = new Map<string, LockedPackage>()
  const visit = (path: string): string[] => {
    const { link, resolved, version = '', license = '', integrity = '' } = entries[path]!
    if (link) return needsOf(entries, resolved!).flatMap(visit)
    if (found.has(path)) return [path]
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const one: LockedPackage = { path, name, version, license, integrity, needs: [] }
    found.set(path, one)
    one.needs = needsOf(entries, path).flatMap(visit)
    return [path]
  }
  const direct = workspaces.flatMap((workspace) => needsOf(entries, workspace).flatMap(visit))
  direct.push(...bundled.filter((path) => !found.has(path)).flatMap(visit))
  const packages = [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
  return { packages, direct: [...new Set(direct)].sort() }
}

/** Where the dependencies of a folder lie. */
function needsOf(entries: Record<string, Entry>, from: string): string[] {
  const names = Object.keys(entries[from]?.dependencies ?? {})
  return names.map((name) => find(entries, from, name)).filter((path) => path !== undefined)
}

/** Where Node finds a package imported from a folder. */
function find(entries: Record<string, Entry>, from: string, name: string): string | undefined {
  const path = join(from, 'node_modules', name)
  if (path in entries) return path
  return from === '.' || from === '' ? undefined : find(entries, dirname(from), name)
}
