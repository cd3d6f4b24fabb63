import type { ImportFormat } from '@loci/contract/imports'
import type { AppError } from '../../../ground/errors/app-error.ts'
import type { SourceFile } from '../sources/source.ts'

/** What the beginning of a file reveals. */
export type Shape =
  | { kind: 'text'; text: string }
  /** A list or an object: its keys, the first object in a list of it, and the key of that list. */
  | { kind: 'json'; keys: ReadonlySet<string>; listKey: string | undefined; item: Record<string, unknown> }
  | { kind: 'broken'; error: AppError }
  | { kind: 'empty' }

/** A file whose content was recognised as `part` of an export. */
export type Part = { file: SourceFile; part: string }

/** How another program's export becomes lines of ours. */
export type Format = {
  format: ImportFormat
  /** Which part of such an export a file is; undefined if none. */
  recognise: (shape: Shape, path: string) => string | undefined
  /** The lines that our own export would contain, with entities before later additions to them. */
  read: (parts: readonly Part[]) => AsyncGenerator<string, void>
}
