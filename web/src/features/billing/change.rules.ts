import type { ChangePreview, Plan } from '@loci/contract/billing'
import { formatDollars } from '../../lib/format.ts'

/** What a change of plan means, when it takes effect, and the next charge. `dayOf` formats a moment's day. */
export function changeSentences(
  current: string,
  plan: Plan,
  { now, next, lines, effectiveAt }: ChangePreview,
  dayOf: (epochSeconds: number) => string,
): string[] {
  const name = plan.interval === null ? plan.name : `${plan.name} (${plan.interval}ly)`
  const day = dayOf(effectiveAt)
  if (next === null) {
    return [
      `You keep ${current} until ${day}. Then your account moves to ${name}.`,
      "You won't be charged again, and nothing you stored is deleted.",
    ]
  }
  const later = `${formatDollars(next.amount)} on ${dayOf(next.at)}`
  if (effectiveAt === next.at) {
    return [`You keep ${current} until ${day}. Then ${name} starts.`, `You pay nothing now, then ${later}.`]
  }
  const charged =
    now === 0 && lines.length === 0 ? 'You pay nothing now' : `You pay ${formatDollars(now)} now`
  return [`${name} starts now.`, `${charged}, then ${later}.`]
}
