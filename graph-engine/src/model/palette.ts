/** The colours of entity types: one slot per type; 16 colours as discs, then the same 16 as rings. */

const light = [
  '#3a62e2',
  '#006e50',
  '#b97b5a',
  '#4e1cce',
  '#ce030a',
  '#418896',
  '#0691e6',
  '#f3349a',
  '#910182',
  '#5a6d2d',
  '#252c48',
  '#a08b03',
  '#5e2e1d',
  '#12413d',
  '#6c5167',
  '#757575',
] as const

const dark = [
  '#3878f5',
  '#0cdea9',
  '#dda172',
  '#ac98fe',
  '#ff4602',
  '#58b3c3',
  '#aad6fe',
  '#e5607e',
  '#cb42c1',
  '#a9d210',
  '#6d6f8f',
  '#fde48a',
  '#9c664b',
  '#119072',
  '#af969c',
  '#eae5ef',
] as const

export const slotColors = { light, dark } as const

const knownSlots: Readonly<Record<string, number>> = {
  concept: 1,
  person: 2,
  company: 3,
  technology: 4,
  product: 5,
  event: 6,
  observation: 16,
}

/** How nodes of one type are drawn. */
export type TypeStyle = {
  color: string
  /** A ring instead of a disc. */
  hollow: boolean
  /**
   * Types beyond the 32nd are indistinguishable by colour, so their nodes show names wherever there is
   * room.
   */
  named: boolean
}

/** The style of a slot, counted from 1. */
export function styleOfSlot(slot: number, scheme: 'light' | 'dark'): TypeStyle {
  const colors = slotColors[scheme]
  const beyond = slot > 2 * colors.length
  const color = beyond ? colors.at(-1)! : colors[(slot - 1) % colors.length]!
  return { color, hollow: slot > colors.length, named: beyond }
}

/** A slot for each type: the given one, that of a known type, or the lowest free one. */
export function slotsOf(types: readonly string[], given: Readonly<Record<string, number>>): number[] {
  const slots = types.map((type) => {
    if (Object.hasOwn(given, type)) return given[type]!
    const known = type.trim().toLowerCase()
    return Object.hasOwn(knownSlots, known) ? knownSlots[known]! : 0
  })
  const taken = new Set([...slots, ...Object.values(given), ...Object.values(knownSlots)])
  let next = 1
  return slots.map((slot) => {
    if (slot > 0) return slot
    while (taken.has(next)) next++
    taken.add(next)
    return next
  })
}
