import { toNumber } from '../../ground/lib/ids.ts'
import type { GraphWrite } from '../../memory/write/write-graph.ts'
import { listTakenNumbers } from './imports.repo.ts'

/** Numbers from `from` up to, but not including, `end`, reserved for this import. */
export type NumberRange = { from: number; end: number }

type Prefix = 'ent' | 'obs' | 'rel'
/** Returns the number for an id of the file, once, if it is still free. */
export type Claim = (prefix: Prefix, id: string | undefined) => number | undefined

const noClaim: Claim = () => undefined

/** Looks up which of the ids of a chunk are free. */
export async function claimNumbers(
  { db, scope }: GraphWrite,
  range: NumberRange | undefined,
  ids: readonly { prefix: Prefix; id: string | undefined }[],
): Promise<Claim> {
  if (range === undefined) return noClaim
  const numbers = ids.flatMap(({ prefix, id }) => numberIn(range, prefix, id) ?? [])
  if (numbers.length === 0) return noClaim
  const taken = new Set(await listTakenNumbers(db, scope, numbers))
  return (prefix, id) => {
    const number = numberIn(range, prefix, id)
    if (number === undefined || taken.has(number)) return undefined
    taken.add(number)
    return number
  }
}

function numberIn({ from, end }: NumberRange, prefix: Prefix, id: string | undefined): number | undefined {
  const number = id === undefined ? undefined : toNumber(prefix, id)
  return number !== undefined && number >= from && number < end ? number : undefined
}
