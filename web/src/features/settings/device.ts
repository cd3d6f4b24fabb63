// The first that fits wins: Edge calls itself Chrome too, and Chrome calls itself Safari.
const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/OPR\//, 'Opera'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** A user agent as a person would say it: `Firefox on Windows`. */
export function deviceOf(userAgent: string): { name: string; mobile: boolean } {
  const find = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = find(browsers)
  const system = find(systems)
  const name = browser && system ? `${browser} on ${system}` : (browser ?? (userAgent || 'Unknown device'))
  return { name, mobile: /iPhone|Android|Mobile/.test(userAgent) }
}
