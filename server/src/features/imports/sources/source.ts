import type { Readable } from 'node:stream'

/** A file of a folder or archive, or a single file. */
export type SourceFile = {
  /** With `/` between folders. */
  path: string
  bytes: number
  /** When it was last changed, if that is known. */
  modifiedAt?: string | undefined
  open: () => Promise<Readable>
}

/** The input of an import. */
export type Source = {
  files: SourceFile[]
  /** Links, pipes and other entries of a folder that are not files. */
  skipped: string[]
}

/** All files of one import together, unpacked. */
export const sourceBytesMax = 1024 ** 3
export const sourceFilesMax = 200_000

/** Whether a file can contain something to import. */
export function isImportable(path: string): boolean {
  return /\.(?:md|markdown|txt|json|jsonl|ndjson|csv)$/i.test(path) && !isHidden(path)
}

/** A vault's own settings and trash, and files that macOS adds to archives. */
function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')
}

export const isNote = (path: string) => /\.(?:md|markdown)$/i.test(path)
