import type { ImportFormat } from '@loci/contract/imports'
import type { AppError } from '../../../errors/app-error.ts'
import type { SourceFile } from '../sources/source.ts'

/** What a look at the beginning of a file shows. */
export type Shape =
  | { kind: 'text'; text: string }
  /** Of a list, or of an object; the first object that is in a list of either, and the key of that list. */
  | { kind: 'json'; keys: ReadonlySet<string>; listKey: string | undefined; item: Record<string, unknown> }
  | { kind: 'broken'; error: AppError }
  | { kind: 'empty' }

/** A file whose content was recognised as `part` of an export. */
export type Part = { file: SourceFile; part: string }

/** How an export of some other program becomes lines of ours. */
export type Format = {
  format: ImportFormat
  /** Which part of such an export a file is; undefined for none. */
  recognise: (shape: Shape, path: string) => string | undefined
  /** The lines that our own export would have, entities before what is said of them later. */
  read: (parts: readonly Part[]) => AsyncGenerator<string, void>
}
