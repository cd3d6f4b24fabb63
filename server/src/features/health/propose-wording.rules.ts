import { dayMs } from '../../ground/lib/time.ts'
import type { HealthEntity, HealthFact } from './health-source.ts'
import { findUnclear } from './stands-alone.rules.ts'

/** Names that stand for whoever writes, rather than naming somebody. */
const nobody = /^(?:user|users|default[_ ]user|me|project|notes?|memory|memories|general|misc|team|rules?)$/i
const person = /^(?:person|people|user|contact|colleague|friend|customer|employee)$/i

/** Longer names are titles. */
const nameMax = 40

const opening = /^(He|She|It|They|His|Her|Its|Their)\b/
const personal = new Set(['He', 'She', 'His', 'Her'])
const possessive = new Set(['His', 'Her', 'Its', 'Their'])

const daysAway: [RegExp, number][] = [
  [/\bthe day after tomorrow\b/gi, 2],
  [/\bthe day before yesterday\b/gi, -2],
  [/\byesterday\b/gi, -1],
  [/\btomorrow\b/gi, 1],
  [/\btoday\b/gi, 0],
]

/**
 * A wording of an unclear fact that stands alone: the entity's name for a pronoun, a date for "tomorrow". Undefined if
 * something unclear would be left.
 */
export function proposeWording(
  { content, createdAt }: HealthFact,
  { name, type }: HealthEntity,
): string | undefined {
  let text = content
  if (!nobody.test(name) && name.length <= nameMax)
    text = text.replace(opening, (pronoun) => {
      if (personal.has(pronoun) && !person.test(type)) return pronoun
      if (pronoun === 'They' || pronoun === 'Their') return pronoun
      return possessive.has(pronoun) ? `${name}'s` : name
    })
  if (createdAt !== undefined)
    for (const [pattern, away] of daysAway) text = text.replace(pattern, dayAfter(createdAt, away))
  return text === content || findUnclear(text, name) !== undefined ? undefined : text
}

/** "on 14 October 2026", or the date alone after a preposition, which the caller's text has. */
function dayAfter(createdAt: string, away: number): (found: string, at: number, whole: string) => string {
  const day = new Date(Date.parse(createdAt) + away * dayMs).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return (_, at, whole) =>
    /\b(?:from|since|until|till|by|on|to|for|of)\s+$/i.test(whole.slice(0, at)) ? day : `on ${day}`
}
