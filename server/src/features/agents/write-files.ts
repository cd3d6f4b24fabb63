import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { type FileChange, readText } from './plan-files.ts'

/**
 * Writes each file whole or not at all, through links, and keeps its mode. Returns those that it may not write, and
 * those that somebody else has written since they were read: agents write into these files too.
 */
export function writeFiles(changes: readonly FileChange[]): { path: string; reason: string }[] {
  return changes.flatMap((change) => {
    try {
      writeOne(change)
      return []
    } catch (error) {
      return [{ path: change.path, reason: (error as Error).message }]
    }
  })
}

function writeOne({ path, before, after }: FileChange): void {
  if (readText(path) !== before) throw new Error('It was changed meanwhile. Run this again.')
  if (after === undefined) removeFile(path)
  else replaceFile(targetOf(path), after)
}

/** Where a link leads, whether anything is there yet or not. */
function targetOf(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path
  return targetOf(resolve(realpathSync(dirname(path)), readlinkSync(path)))
}

const ownerOnly = 0o600

function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const mode = existsSync(path) ? statSync(path).mode & 0o777 : ownerOnly
  const beside = `${path}.loci-${process.pid}`
  try {
    writeFileSync(beside, text, { mode })
    chmodSync(beside, mode)
    renameSync(beside, path)
  } finally {
    rmSync(beside, { force: true })
  }
}

/** With the folders that were made for it and hold nothing else: of skills, hooks, plugins, rules and permissions. */
function removeFile(path: string): void {
  rmSync(path, { force: true })
  try {
    for (let folder = dirname(path); madeFolders.test(basename(folder)); folder = dirname(folder))
      rmdirSync(folder)
  } catch {
    // Something else lies in it.
  }
}

const madeFolders = /^(?:loci-memory|skills|hooks|plugins|prompts|follow)$/
