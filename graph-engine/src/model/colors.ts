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
