import { Readable } from 'node:stream'
import { recognise } from '../src/features/imports/formats/recognise.ts'
import type { SourceFile } from '../src/features/imports/sources/source.ts'

/** A text with the time of its file. */
type Dated = { text: string; modifiedAt: string }

const isDated = (content: unknown): content is Dated =>
  typeof content === 'object' && content !== null && 'text' in content && 'modifiedAt' in content

/** A file of an import that lies in memory; what is neither text nor bytes is written as JSON. */
function sourceFile(path: string, content: unknown): SourceFile {
  if (isDated(content)) return { ...sourceFile(path, content.text), modifiedAt: content.modifiedAt }
  const isWritten = typeof content === 'string' || Buffer.isBuffer(content)
  const bytes = Buffer.from(isWritten ? (content as string) : JSON.stringify(content))
  return { path, bytes: bytes.length, open: async () => Readable.from([bytes], { objectMode: false }) }
}

/** A line of our own format, as the importers write it. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into lines of every shape.
export type Line = Record<string, any>

/** Recognises files as an import does, and returns the format and the lines that its importer writes. */
export async function readExport(files: Record<string, unknown>) {
  const found = await recognise(Object.entries(files).map(([path, content]) => sourceFile(path, content)))
  if (found === undefined) return undefined
  const { format, parts, unused } = found
  const lines: Line[] = []
  for await (const line of format.read(parts)) lines.push(JSON.parse(line))
  return { format: format.format, unused, lines }
}

/** The lines of an export that must be recognised. */
export async function linesOfExport(files: Record<string, unknown>): Promise<Line[]> {
  const read = await readExport(files)
  if (read === undefined) throw new Error('the files were not recognised')
  return read.lines
}
