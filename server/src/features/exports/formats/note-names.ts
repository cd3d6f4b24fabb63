import { hashText } from '../../../ground/lib/hash-text.ts'
import type { GraphSource } from '../graph-source.ts'

/** The file's name of an entity's note, without its ending. */
export type NoteNames = (entity: { id: string; name: string }) => string

/** Characters that a file's name or a link cannot have on some system. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
const forbidden = /[\\/:*?"<>|#^[\]%\u0000-\u001f\u007f]+/g
/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i
/** Less than what file systems allow, in bytes: of a character up to three. */
const lengthMax = 80

/** A text as a file may be called. */
function fileNameOf(text: string): string {
  return text
    .replace(forbidden, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, lengthMax)
    .toWellFormed()
    .replace(/^[. ]+|[. ]+$/g, '')
}

export const folderNameOf = (type: string) => {
  const name = fileNameOf(type)
  return name === '' || reserved.test(name) ? 'other' : name
}

/**
 * Names notes as their entities, where that is a name that a file can have and no other note has, in capitals or not. The
 * others get the id too. Holds four bytes an entity.
 */
export async function nameNotes(source: GraphSource): Promise<NoteNames> {
  let hashes = new Uint32Array(1_024)
  let count = 0
  for await (const page of source.entityPages()) {
    for (const { name } of page) {
      if (count === hashes.length) {
        const larger = new Uint32Array(2 * count)
        larger.set(hashes)
        hashes = larger
      }
      hashes[count++] = hashOf(name)
    }
  }
  const sorted = hashes.subarray(0, count).sort()
  const shared = new Set(sorted.filter((hash, index) => index > 0 && sorted[index - 1] === hash))
  return ({ id, name }) => {
    const fileName = fileNameOf(name)
    const isOwn = fileName === name && !reserved.test(name) && !shared.has(hashOf(name))
    return isOwn ? name : `${fileName || 'note'} (${id.slice(4)})`
  }
}

/** Of a name without capitals. */
const hashOf = (name: string) => hashText(name.normalize('NFC').toLowerCase())
