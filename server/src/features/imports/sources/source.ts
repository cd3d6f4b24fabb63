import type { Readable } from 'node:stream'

/** A file of a folder or archive, or a file that came alone. */
export type SourceFile = {
  /** With `/` between folders. */
  path: string
  bytes: number
  open: () => Promise<Readable>
}

/** What an import reads. */
export type Source = {
  files: SourceFile[]
  /** Links, pipes and other things of a folder that are no files. */
  skipped: string[]
}

/** All files of one import together, unpacked. */
export const sourceBytesMax = 1024 ** 3
export const sourceFilesMax = 200_000

/** What may hold something to import. */
export function isImportable(path: string): boolean {
  return /\.(?:md|markdown|txt|json|jsonl|ndjson|csv)$/i.test(path) && !isHidden(path)
}

/** Of a vault's own settings and bin, and what an archiver of macOS adds. */
function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')
}

export const isNote = (path: string) => /\.(?:md|markdown)$/i.test(path)
