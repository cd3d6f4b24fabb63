import { shownName, shownText } from '../../ground/lib/for-models.ts'

/** The fields that hold texts; every other one, also of tools to come, stays on one line. */
const texts = new Set([
  'observations',
  'facts',
  'rules',
  'said',
  'content',
  'before',
  'after',
  'addedObservations',
  'observation',
  'text',
  'metadata',
])

/** An answer as a model may read it: names on one line, and nothing hidden in them or in texts. */
export const asShown = <T>(answer: T): T => shown(answer, '') as T

function shown(value: unknown, field: string): unknown {
  if (typeof value === 'string') return texts.has(field) ? shownText(value) : shownName(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => shown(item, field))
  const entries = Object.entries(value)
  if (field !== 'metadata') return Object.fromEntries(entries.map(([key, part]) => [key, shown(part, key)]))
  return Object.fromEntries(entries.map(([key, part]) => [shownName(key), shown(part, field)]))
}
