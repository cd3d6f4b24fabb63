import { type NumberedPrefix, toNumber } from '../ground/lib/ids.ts'

/** The numbers of these ids; invalid ids are left out. */
export function numbersOf(prefix: NumberedPrefix, ids: readonly string[]): number[] {
  return ids.flatMap((id) => toNumber(prefix, id) ?? [])
}

/** The number of an id that one of our repos returned. Throws if it is invalid. */
export function numberOf(prefix: NumberedPrefix, id: string): number {
  const number = toNumber(prefix, id)
  if (number === undefined) throw new Error(`${id} is no id of ours`)
  return number
}
