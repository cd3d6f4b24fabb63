import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { FactOfEntity, FileNow } from '@loci/contract/cited-files'
import { type CitedText, locate, toCitedText } from '../../ground/lib/cited-lines.ts'

/** Larger files are not source text. */
const fileBytesMax = 32 * 1024 * 1024

/** Lines that are elsewhere in their file now. */
export type Moved = { observationId: string; path: string; from: string; to: string }

/** What facts cite, as it is in a folder. */
export type FilesInFolder = { files: FileNow[]; moved: Moved[] }

/**
 * Reads the files that facts cite. Of files that name no repository only those that exist are in the answer: the others
 * can be of another repository. Nothing outside the folder is read.
 */
export function readCited(
  folder: string,
  facts: readonly FactOfEntity[],
  names: readonly string[],
): FilesInFolder {
  const root = realpathSync(folder)
  const texts = new Map<string, CitedText | undefined>()
  const read = (path: string) => {
    if (!texts.has(path)) texts.set(path, readWithin(root, path))
    return texts.get(path)
  }
  const files = new Map<string, FileNow>()
  const moved: Moved[] = []
  for (const { id, files: cited = [] } of facts) {
    for (const { path, lines, hash, repository } of cited) {
      if (repository !== undefined && !names.includes(repository)) continue
      const text = read(path)
      if (text === undefined && repository === undefined) continue
      const found = text === undefined ? undefined : locate(text, lines, hash)
      const now = found === undefined ? null : found.isSame && hash !== undefined ? hash : found.hash
      files.set(`${path}\n${lines}\n${now}`, { path, ...(lines && { lines }), hash: now })
      const to = found?.first === undefined ? lines : inLines(found.first, found.last)
      if (found?.isSame && found.first !== undefined && !isSameRange(lines, to))
        moved.push({ observationId: id, path, from: lines!, to: to! })
    }
  }
  return { files: [...files.values()], moved }
}

const inLines = (first: number, last = first) => (first === last ? String(first) : `${first}-${last}`)
const isSameRange = (one = '', other = '') => one.replace(/[^\d]+/g, ' ').trim() === other.replace('-', ' ')

/** Undefined if there is no such file within the folder. */
function readWithin(root: string, path: string): CitedText | undefined {
  try {
    const real = realpathSync(join(root, path))
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
    const found = statSync(real)
    return found.isFile() && found.size <= fileBytesMax ? toCitedText(readFileSync(real)) : undefined
  } catch {
    return undefined
  }
}
