import { toNumber } from '../../ground/lib/ids.ts'
import type { GraphWrite } from '../../memory/write/write-graph.ts'
import type { NumberRange } from './import-progress.ts'
import { listTakenNumbers } from './imports.repo.ts'

type Prefix = 'ent' | 'obs' | 'rel'
/** Returns the number for an id of the file, once, if it is still free. */
export type Claim = (prefix: Prefix, id: string | undefined) => number | undefined

export type Claims = {
  claim: Claim
  /** Whether an id of the file is one that this import keeps. */
  isKept: (prefix: Prefix, id: string) => boolean
}

const noClaims: Claims = { claim: () => undefined, isKept: () => false }

/** Looks up which of the ids of a chunk are free. */
export async function claimNumbers(
  { db, scope }: GraphWrite,
  range: NumberRange | undefined,
  ids: readonly { prefix: Prefix; id: string | undefined }[],
): Promise<Claims> {
  if (range === undefined) return noClaims
  const numbers = ids.flatMap(({ prefix, id }) => numberIn(range, prefix, id) ?? [])
  const taken = new Set(numbers.length === 0 ? [] : await listTakenNumbers(db, scope, numbers))
  const claim: Claim = (prefix, id) => {
    const number = numberIn(range, prefix, id)
    if (number === undefined || taken.has(number)) return undefined
    taken.add(number)
    return number
  }
  return { claim, isKept: (prefix, id) => numberIn(range, prefix, id) !== undefined }
}

function numberIn({ from, end }: NumberRange, prefix: Prefix, id: string | undefined): number | undefined {
  const number = id === undefined ? undefined : toNumber(prefix, id)
  return number !== undefined && number >= from && number < end ? number : undefined
}
