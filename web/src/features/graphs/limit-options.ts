import { formatNumber } from '../../lib/format.ts'
import { limitMax } from './graph-address.ts'

const limits = [100, 250, 500]
const largeLimits = [1_000, 2_500, 5_000, 10_000]

/** The selectable limits in ascending order, including the address's own. */
export function limitOptions(asked: number): { value: string; label: string }[] {
  const offered = new Set([...limits, ...largeLimits, asked, limitMax])
  return [...offered]
    .sort((a, b) => a - b)
    .map((limit) => ({ value: String(limit), label: limit === limitMax ? 'All' : formatNumber(limit) }))
}
