/** Colours of the known types; white text on them passes WCAG AA. */
const knownColors: Record<string, string> = {
  concept: '#2563eb',
  person: '#047857',
  company: '#b45309',
  technology: '#7c3aed',
  product: '#dc2626',
  event: '#0e7490',
  observation: '#52525b',
}

const otherColors = ['#be185d', '#4d7c0f', '#a16207', '#4338ca', '#0f766e', '#9f1239', '#6d28d9', '#1d4ed8']

/** The colour of an entity type: the same on every screen, in every session. */
export function colorOfType(type: string): string {
  const known = knownColors[type.toLowerCase()]
  if (known !== undefined) return known
  let hash = 0
  for (const char of type) hash = (hash * 31 + char.codePointAt(0)!) >>> 0
  return otherColors[hash % otherColors.length]!
}
