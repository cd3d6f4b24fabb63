import { createHash } from 'node:crypto'

const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** A file as texts cite it: by lines that end in LF, whatever they end in. */
export type CitedText = { bytes: Buffer; lines: string[] }

export function toCitedText(bytes: Buffer): CitedText {
  const lines = bytes.toString('utf8').replace(/\r\n?/g, '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return { bytes, lines }
}

const range = /^L?(?<first>\d{1,7})(?:\s*[-–:,]\s*L?(?<last>\d{1,7}))?$/i

/** First and last line of `7`, `3-9` or `L3-L9`; undefined for anything else. */
export function readLineRange(lines: string | undefined): { first: number; last: number } | undefined {
  const { first, last = first } = range.exec(lines?.trim() ?? '')?.groups ?? {}
  if (first === undefined || Number(first) < 1 || Number(last) < Number(first)) return undefined
  return { first: Number(first), last: Number(last) }
}

/** Where cited lines are now: `from` differs from where they were if they have moved. */
export type Located = { hash: string; isSame: boolean; first?: number; last?: number }

/**
 * Compares the cited lines of a file, or all of it, with their hash: of the lines joined by LF, with or without one at
 * the end; of a whole file also as it is, byte for byte. Lines that are elsewhere in the file now are found by content,
 * and a change of form alone is none.
 */
export function locate({ bytes, lines }: CitedText, cited: string | undefined, hash?: string): Located {
  const asked = readLineRange(cited)
  const known = hash?.toLowerCase()
  if (asked === undefined) {
    const text = lines.join('\n')
    const forms = [hashOf(bytes), hashOf(`${text}\n`), hashOf(text)]
    return { hash: forms[0]!, isSame: known === undefined || forms.includes(known) }
  }
  const { first, last } = asked
  const length = last - first + 1
  const hashesAt = (start: number) => {
    const text = lines.slice(start - 1, start - 1 + length).join('\n')
    return [hashOf(text), hashOf(`${text}\n`)]
  }
  const [now, ended] = hashesAt(first)
  if (known === undefined || known === now || known === ended)
    return { hash: now!, isSame: true, first, last }
  for (let start = 1; start + length - 1 <= lines.length; start++)
    if (hashesAt(start).includes(known))
      return { hash: now!, isSame: true, first: start, last: start + length - 1 }
  const isOnlyForm = formsOf(lines.slice(first - 1, last)).some((form) => hashOf(form) === known)
  return { hash: now!, isSame: isOnlyForm, first, last }
}

const indents = [' ', '  ', '    ', '        ', '\t']
const endComment = /[ \t]+(?:\/\/|#|--) .*$/

/** What the lines were if since then they were only indented otherwise, all of them alike, or got a comment at an end. */
function formsOf(lines: readonly string[]): string[] {
  const inner = (line: string) => line !== ''
  const deeper = indents.map((indent) => lines.map((line) => (inner(line) ? indent + line : line)))
  const shallower = indents
    .filter((indent) => lines.filter(inner).every((line) => line.startsWith(indent)))
    .map((indent) => lines.map((line) => line.slice(inner(line) ? indent.length : 0)))
  const bare = lines.map((line) => line.replace(endComment, ''))
  return [...deeper, ...shallower, bare].map((form) => form.join('\n'))
}
