import { takeFitting } from '../../lib/json-size.ts'

/** Who writes more than this knows it, and needs no more than counts and what was unusual. */
const itemsMax = 20
const charactersMax = 4_000

/** Whether the answer to a write should be shorter than a repetition of what was written. */
export const isLarge = (written: readonly unknown[]) =>
  written.length > itemsMax || JSON.stringify(written).length > charactersMax

/** As many of the items as make a short answer. */
export const takeShort = <T>(items: readonly T[]): T[] => takeFitting(items, charactersMax).taken

/** "1 entity", "2 entities". */
export const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
