import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './sources.ts'

type Entry = {
  version?: string
  license?: string
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
}

/** The licences of all packages that the workspaces contain, each text once, as these licences require. */
export async function noticesOf(workspaces: readonly string[]): Promise<string> {
  const { packages }: { packages: Record<string, Entry> } = JSON.parse(
    await readFile(join(root, 'package-lock.json'), 'utf8'),
  )
  const namesByText = new Map<string, string[]>()
  for (const path of reach(packages, workspaces)) {
    const { version, license } = packages[path]!
    const text = (await readLicence(join(root, path))) ?? `Licence: ${license}\n`
    const name = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${version}`
    namesByText.set(text, [...(namesByText.get(text) ?? []), name])
  }
  const notices = [...namesByText].map(([text, names]) => `${names.join('\n')}\n\n${text.trim()}\n`)
  return `This package contains the following software.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`
}

/** Sorted paths of the packages that workspaces need at run time, directly or indirectly. */
function reach(packages: Record<string, Entry>, workspaces: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (from: string) => {
    for (const name of Object.keys(packages[from]?.dependencies ?? {})) {
      const path = find(packages, from, name)
      if (path === undefined || found.has(path)) continue
      const { link, resolved } = packages[path]!
      if (link) visit(resolved!)
      else {
        found.add(path)
        visit(path)
      }
    }
  }
  for (const workspace of workspaces) visit(workspace)
  return [...found].sort()
}

/** Where Node finds a package imported from a folder. */
function find(packages: Record<string, Entry>, from: string, name: string): string | undefined {
  const path = join(from, 'node_modules', name)
  if (path in packages) return path
  return from === '.' || from === '' ? undefined : find(packages, dirname(from), name)
}

async function readLicence(folder: string): Promise<string | undefined> {
  const files = await readdir(folder)
  const name = files.find((file) => /^licen[cs]e/i.test(file)) ?? files.find((file) => /^copying/i.test(file))
  return name === undefined ? undefined : readFile(join(folder, name), 'utf8')
}
