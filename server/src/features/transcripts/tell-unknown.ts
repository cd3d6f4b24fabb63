import { withoutControls } from '../../ground/lib/without-controls.ts'

const kindsMax = 10

/** What was left out of conversations, in words; undefined if nothing was. A new version of an agent writes new things. */
export function tellUnknown(unknown: Record<string, number>): string | undefined {
  const kinds = Object.entries(unknown).sort(([, a], [, b]) => b - a)
  if (kinds.length === 0) return undefined
  const told = kinds.slice(0, kindsMax).map(([kind, count]) => `${withoutControls(kind)} (${count})`)
  const more = kinds.length > kindsMax ? ` and ${kinds.length - kindsMax} more` : ''
  return `left out, since this version of Loci does not know it: ${told.join(', ')}${more}`
}
