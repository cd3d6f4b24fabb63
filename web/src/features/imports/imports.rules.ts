import type { ImportProblem, ImportReport } from '@loci/contract/imports'

const bytesMax = 1024 ** 3

/** Why a file is not worth sending; undefined when it is. */
export function findFileProblem({ name, size }: { name: string; size: number }): string | undefined {
  if (/\.(md|markdown|zip)$/i.test(name)) {
    return 'Notes come in with the command: loci import <folder>. Here a file of JSON lines is needed.'
  }
  if (size === 0) return 'The file is empty'
  return size > bytesMax ? 'The file is larger than 1 GiB' : undefined
}

export const placeOf = ({ line = 0, item = line }: ImportProblem) => item

/** `Line 3`, `conversations.json, entry 12`. */
export function placeText(problem: ImportProblem): string {
  const place = `${problem.item === undefined ? 'line' : 'entry'} ${placeOf(problem)}`
  return problem.file === undefined
    ? place.replace(/^./, (first) => first.toUpperCase())
    : `${problem.file}, ${place}`
}

/** From 0 to 100. The file is gone through twice, the second time for relations. */
export function percentOf({ state, pass, bytes, bytesDone }: ImportReport): number {
  if (state === 'finished' || bytes === 0) return 100
  const behind = pass === 'relations' ? bytes + bytesDone : bytesDone
  return Math.floor((100 * behind) / (2 * bytes))
}
