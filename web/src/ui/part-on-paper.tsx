import { formatNumber } from '../lib/format.ts'

/** Says on paper that a list goes on: only what was loaded is printed. */
export function PartOnPaper({ shown, total }: { shown: number; total: number }) {
  if (shown >= total) return null
  return (
    <p className="loci-on-paper">
      The first {formatNumber(shown)} of {formatNumber(total)}.
    </p>
  )
}
