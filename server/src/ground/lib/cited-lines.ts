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
 * the end; of a whole file also as it is, byte for byte. Lines that are elsewhere in the file now are found by content.
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
  return { hash: now!, isSame: false, first, last }
}
