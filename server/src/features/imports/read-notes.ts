import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { entityNameMax } from '@loci/contract/entities'
import { entityTypeMax } from '@loci/contract/entity-types'
import type { Context } from '../../context.ts'
import { type Note, parseNote } from './markdown.rules.ts'
import { type ImportFile, openRegularFile, spool } from './open-import-file.ts'

const linkType = 'links_to'
const noteBytesMax = 8 * 1024 ** 2

/**
 * A note, or a folder of notes, as the lines that an export would have: a note is an entity, its paragraphs and list
 * items are observations, its wiki links relations.
 */
export async function openNotes(
  ctx: Context,
  path: string,
): Promise<ImportFile & { skipped: readonly string[] }> {
  const { paths, skipped } = await listNotes(path)
  const nameOf = await findNames(paths)
  const file = await spool(ctx, writeLines(paths, nameOf))
  return { ...file, format: 'markdown', skipped }
}

/**
 * Path of each note by the path that it has in the folder, in a stable order. Links are not followed: they may lead
 * out of the folder, to files that were not meant. They and other things that are no files are `skipped`.
 */
async function listNotes(path: string): Promise<{ paths: Map<string, string>; skipped: string[] }> {
  if (!(await stat(path)).isDirectory()) return { paths: new Map([[basename(path), path]]), skipped: [] }
  const notes: string[] = []
  const skipped: string[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(path, folder), { withFileTypes: true })) {
      const name = `${folder}${entry.name}`
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) folders.push(`${name}/`)
      else if (entry.isFile() && isNote(name)) notes.push(name)
      else if (entry.isSymbolicLink() || isNote(name)) skipped.push(name)
    }
  }
  return { paths: new Map(notes.sort().map((note) => [note, join(path, note)])), skipped: skipped.sort() }
}

const isNote = (name: string) => /\.md$/i.test(name)

async function readNote(path: string): Promise<Note> {
  const file = await openRegularFile(path)
  try {
    const { size } = await file.stat()
    if (size > noteBytesMax) return { ...parseNote(''), problem: 'The note is larger than 8 MiB' }
    return parseNote(await file.readFile('utf8'))
  } finally {
    await file.close()
  }
}

/** What links call a note: its title, its file's name, its path; case does not matter. */
type Names = { title: Map<string, string>; byLink: Map<string, string> }

/** Gives each note a name of its own: the title, or the path where two have the same title. */
async function findNames(paths: ReadonlyMap<string, string>): Promise<Names> {
  const names: Names = { title: new Map(), byLink: new Map() }
  const taken = new Set<string>()
  for (const [note, path] of paths) {
    const plain = note.replace(/\.md$/i, '')
    const title = (await readNote(path)).title ?? basename(plain)
    const name = (taken.has(title) ? plain : title).slice(0, entityNameMax).toWellFormed()
    taken.add(name)
    names.title.set(note, name)
    for (const link of [plain, basename(plain), title].map((text) => text.toLowerCase())) {
      if (!names.byLink.has(link)) names.byLink.set(link, name)
    }
  }
  return names
}

async function* writeLines(paths: ReadonlyMap<string, string>, names: Names): AsyncGenerator<string, void> {
  for (const [file, path] of paths) {
    const note = await readNote(path)
    const name = names.title.get(file) ?? file
    yield `${JSON.stringify({
      type: 'entity',
      name,
      entityType: note.type?.slice(0, entityTypeMax).toWellFormed() ?? 'note',
      metadata: note.metadata,
      observations: note.blocks.map((content) => ({ content, createdAt: note.createdAt })),
      createdAt: note.createdAt,
      file,
      line: 1,
      problem: note.problem,
    })}\n`
    for (const { line, target } of note.links) {
      const to = names.byLink.get(target.replace(/\.md$/i, '').toLowerCase()) ?? target
      if (to === name) continue
      yield `${JSON.stringify({ type: 'relation', from: name, to, relationType: linkType, file, line })}\n`
    }
  }
}
