import { takeFitting } from '../../../ground/lib/json-size.ts'

/** A caller that writes more items than this gets only counts and anything unusual. */
const itemsMax = 20
const charactersMax = 4_000

/** Whether the result of a write should not repeat what was written. */
export const isLarge = (written: readonly unknown[]) =>
  written.length > itemsMax || JSON.stringify(written).length > charactersMax

/** As many of the items as fit in a short result. */
export const takeShort = <T>(items: readonly T[]): T[] => takeFitting(items, charactersMax).taken
