import { type Documented, listDocumented } from './documented.ts'

/** A text of the pages that a step runs, wherever it is written; or the reason why none does. */
export type Declared = { beginning: string; text: string; reason?: string }

const all = listDocumented()
const declared: Declared[] = []
const taken = new Set<Declared>()

/** A command, or the block that begins so, or a file. Throws if no page has it. */
export function documented(beginning: string): Declared {
  return declare({ beginning, text: textOf(beginning) })
}

/** What cannot be run by the test, with the reason. */
export function notRun(reason: string, ...beginnings: string[]): void {
  for (const beginning of beginnings) declare({ beginning, text: textOf(beginning), reason })
}

/** The text of something that is about to be run. */
export function take(one: Declared): string {
  taken.add(one)
  return one.text
}

function declare(one: Declared): Declared {
  declared.push(one)
  return one
}

function textOf(beginning: string): string {
  const found = all.find((one) => matches(one, beginning))
  if (found === undefined) throw new Error(`No page tells an operator to run: ${beginning}`)
  return found.text
}

/** A block is named by its first line, everything else by the whole of it. */
const matches = ({ text }: Documented, beginning: string) =>
  text.trim() === beginning.trim() || (text.endsWith('\n') && text.split('\n', 1)[0] === beginning)

/** What no step knows. */
export const listUnknown = (): string[] =>
  all
    .filter((one) => !declared.some(({ beginning }) => matches(one, beginning)))
    .map(({ file, text }) => `${file}: ${text.split('\n', 1)[0]}`)

/** What a step declares but did not run. */
export const listForgotten = (): string[] =>
  declared.filter((one) => one.reason === undefined && !taken.has(one)).map(({ beginning }) => beginning)

export const listNotRun = () => declared.filter(({ reason }) => reason !== undefined)
export const countRun = () => taken.size
