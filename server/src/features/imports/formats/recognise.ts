import { AppError } from '../../../ground/errors/app-error.ts'
import { readJson, readTextFile } from '../sources/read-json.ts'
import type { SourceFile } from '../sources/source.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import type { Format, Part, Shape } from './format.ts'
import { graphiti } from './graphiti.ts'
import { recordOf } from './lines.ts'
import { mem0 } from './mem0.ts'
import { notes } from './notes.ts'

/** In the order in which they are tried; notes come last, since any text can be a note. */
const formats: readonly Format[] = [chatgpt, claude, mem0, graphiti, notes]

const headBytes = 64 * 1024
const itemsLookedAt = 50

/** Recognises the contents of a folder, archive or file. The first format that matches any file is read. */
export async function recognise(
  files: readonly SourceFile[],
): Promise<{ format: Format; parts: Part[]; unused: string[] } | undefined> {
  const shapes: { file: SourceFile; shape: Shape }[] = []
  for (const file of files) shapes.push({ file, shape: await shapeOf(file) })
  for (const format of formats) {
    const seen = shapes.map(({ file, shape }) => ({ file, part: format.recognise(shape, file.path) }))
    const parts = seen.flatMap(({ file, part }) => (part === undefined ? [] : [{ file, part }]))
    const unused = seen.flatMap(({ file, part }) => (part === undefined ? [file.path] : []))
    if (parts.length > 0) return { format, parts, unused }
  }
  for (const { shape } of shapes) if (shape.kind === 'broken') throw shape.error
  return undefined
}

async function shapeOf(file: SourceFile): Promise<Shape> {
  if (/\.(?:md|markdown)$/i.test(file.path)) return { kind: 'text', text: '' }
  const text = (await readTextFile(file, headBytes)).replace(/^\uFEFF/, '')
  if (text.trim() === '') return { kind: 'empty' }
  return /^\s*[[{]/.test(text) ? jsonShapeOf(file) : { kind: 'text', text }
}

/** Reads only as far as the first object of a list. */
async function jsonShapeOf(file: SourceFile): Promise<Shape> {
  const keys = new Set<string>()
  let seen = 0
  try {
    for await (const { key, index, value } of readJson(file)) {
      if (key !== undefined) keys.add(key)
      const item = recordOf(value)
      const isItem = index !== undefined && Object.keys(item).length > 0
      if (isItem) return { kind: 'json', keys, listKey: key, item }
      seen += 1
      if (seen === itemsLookedAt) break
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Errors further on are left to the format's reader.
    if (keys.size === 0) return { kind: 'broken', error }
  }
  return { kind: 'json', keys, listKey: undefined, item: {} }
}
