import type { FileNow, VerifyResponse } from '@loci/contract/cited-files'
import type { Observation, StaleFile } from '@loci/contract/observations'

type File = NonNullable<Observation['files']>[number]
type Citing = Pick<Observation, 'id' | 'files' | 'stale'>

/** Files of a repository as they are now, by path. */
export type FilesNow = { repository: string; byPath: ReadonlyMap<string, readonly FileNow[]> }

export const filesNow = (repository: string, files: readonly FileNow[]): FilesNow => ({
  repository,
  byPath: Map.groupBy(files, ({ path }) => path),
})

type Compared = {
  /** The files, with the hash and repository of those seen for the first time. */
  files: File[]
  stale: StaleFile[] | undefined
  /** What is no longer as it was, of the files that were compared. */
  found: VerifyResponse['stale']
  /** Whether any of its files was compared. */
  isSeen: boolean
}

/** Compares the files of an observation. What is said of files that were not asked about stays. */
export function compareFiles({ id, files = [], stale = [] }: Citing, now: FilesNow): Compared {
  const compared: Compared = { files: [], stale: undefined, found: [], isSeen: false }
  const left: StaleFile[] = []
  for (const file of files) {
    const verdict = compare(file, now)
    const former = stale.filter(({ path, lines }) => path === file.path && lines === file.lines)
    if (verdict === undefined) left.push(...former)
    else compared.isSeen = true
    compared.files.push(verdict?.file ?? file)
    if (verdict?.stale === undefined) continue
    left.push(verdict.stale)
    const { hash: _, ...told } = verdict.stale
    compared.found.push({ observationId: id, ...told })
  }
  if (left.length > 0) compared.stale = left
  return compared
}

type Verdict = { file: File; stale?: StaleFile }

/** Undefined if nothing is known about the file now. */
function compare(file: File, { repository, byPath }: FilesNow): Verdict | undefined {
  if (file.repository !== undefined && file.repository !== repository) return undefined
  const { path, lines } = file
  const given = (byPath.get(path) ?? []).filter((one) => one.lines === undefined || one.lines === lines)
  const exact = given.filter((one) => one.lines === lines)
  const known = exact.length > 0 ? exact : given
  if (known.length === 0) return undefined
  const where = lines === undefined ? { path } : { path, lines }
  const hashes = known.flatMap(({ hash }) => hash ?? [])
  const [hash] = hashes
  if (hash === undefined) return { file, stale: { ...where, reason: 'gone' } }
  if (file.hash === undefined) return { file: exact.length > 0 ? { ...file, hash, repository } : file }
  if (hashes.includes(file.hash)) return { file: { ...file, repository } }
  return { file, stale: { ...where, hash, reason: 'changed' } }
}
