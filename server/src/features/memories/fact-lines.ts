import { inLines } from '../../ground/lib/for-models.ts'
import { entityInLine } from './in-line.ts'
import { costOf } from './recall-budget.ts'
import type { RecalledFact, RecalledRule } from './recalled.ts'

/* How recalled facts are told: each begins with its id, so that nothing in its text can pass for another. */

/** The fact, and what stands before and after it. `day` is left out where it stands above the facts of its entity. */
export function linesOfFact(fact: RecalledFact, day: string | undefined): string[] {
  const { id, content, before = [], after = [] } = fact
  const remarks = remarksOn(fact, day).join(', ')
  return [
    `[${id}]${remarks && ` ${remarks}`}: ${inLines(content)}`,
    ...before.map(beforeInLines),
    ...after.map(afterInLines),
  ]
}

export const beforeInLines = (text: string) => `(before) ${inLines(text)}`
export const afterInLines = (text: string) => `(after) ${inLines(text)}`

/** The end of what was replaced by a fact that names no time is when that was stored. */
const belowMinutes = /(?<=T\d\d:\d\d):[\d.]+(?=Z$)/

/** Its day, when it was true, what came after it, and who wrote it. */
function remarksOn(fact: RecalledFact, day: string | undefined): string[] {
  const { at, until, replacedBy, newer, stale, by, source } = fact
  const remarks = day ? [day] : []
  if (at) remarks.push(`at ${at}`)
  if (until) remarks.push(`until ${until.replace(belowMinutes, '')}`)
  if (replacedBy !== undefined) remarks.push(`replaced by ${replacedBy}`)
  else if (newer) remarks.push(`newer: ${newer}`)
  if (stale) remarks.push(`may be outdated: ${stale}`)
  if (by) remarks.push(`by ${by}`)
  if (source) remarks.push(`from ${source}`)
  return remarks
}

/** What a fact takes in the structured form, the longer of the two, with the name of its entity if that is new. */
export function costOfFact(fact: RecalledFact, isFirstOfEntity: boolean): number {
  const { name: entity, entityType: type } = fact.entity
  const lines = linesOfFact(fact, fact.createdAt).reduce((sum, line) => sum + costOf(line), 0)
  return lines + (isFirstOfEntity ? costOf({ entity, type, facts: [] }) : 0)
}

export const ruleInLines = ({ id, entity, content, createdAt }: RecalledRule) =>
  `[${id}] ${entityInLine(entity)}, ${createdAt}: ${inLines(content)}`
