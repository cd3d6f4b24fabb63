const knownColors: Readonly<Record<string, string>> = {
  concept: '#2563eb',
  person: '#047857',
  company: '#b45309',
  technology: '#7c3aed',
  product: '#dc2626',
  event: '#0e7490',
  observation: '#64748b',
}

// Each has a contrast of at least 4.5:1 with white text and 3:1 with the dark background (tested).
const otherColors = [
  '#c4206a',
  '#b02fbd',
  '#4d7c0f',
  '#78716c',
  '#996650',
  '#8a5a9e',
  '#6f7212',
  '#4b7399',
  '#57776a',
  '#c2410c',
  '#b5547b',
  '#5b5bd6',
] as const

/** The colour of an entity type: fixed for known types, derived from the name for others. */
export function colorOfType(type: string): string {
  const name = type.trim().toLowerCase()
  const known = Object.hasOwn(knownColors, name) ? knownColors[name] : undefined
  return known ?? otherColors[hashText(name) % otherColors.length]!
}

/** FNV-1a, 32 bits, with a final mix: similar names must not have the same remainder. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 15)) >>> 0
}

export type Rgb = [red: number, green: number, blue: number]

/** Parses `#rrggbb` or `#rgb` to 0..255; anything else is mid grey. */
export function parseHex(color: string): Rgb {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color)
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color)
  if (long) return [1, 2, 3].map((part) => Number.parseInt(long[part]!, 16)) as Rgb
  if (short) return [1, 2, 3].map((part) => Number.parseInt(short[part]! + short[part]!, 16)) as Rgb
  return [128, 128, 128]
}

/** `share` of `over` on `under`, as an opaque CSS colour. */
export function mixColors(under: string, over: string, share: number): string {
  const a = parseHex(under)
  const b = parseHex(over)
  return `rgb(${a.map((value, i) => Math.round(value + (b[i]! - value) * share)).join(',')})`
}

export function withAlpha(color: string, alpha: number): string {
  return `rgba(${parseHex(color).join(',')},${alpha})`
}
