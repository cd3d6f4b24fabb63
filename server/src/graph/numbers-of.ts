import { type NumberedPrefix, toNumber } from '../lib/ids.ts'

/** The numbers behind ids; texts that are no such ids are left out. */
export function numbersOf(prefix: NumberedPrefix, ids: readonly string[]): number[] {
  return ids.flatMap((id) => toNumber(prefix, id) ?? [])
}

/** The number behind an id that one of our repos gave. Throws when it is none. */
export function numberOf(prefix: NumberedPrefix, id: string): number {
  const number = toNumber(prefix, id)
  if (number === undefined) throw new Error(`${id} is no id of ours`)
  return number
}
