// The first match wins: Edge also names Chrome, and Chrome also names Safari.
const browsers: [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** Describes a user agent in everyday words: `Firefox on Windows`. */
export function deviceOf(userAgent: string): { name: string; mobile: boolean } {
  const find = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = find(browsers)
  const system = find(systems)
  return { name: nameOf(browser, system, userAgent), mobile: /iPhone|iPad|Android|Mobile/.test(userAgent) }
}

function nameOf(browser: string | undefined, system: string | undefined, userAgent: string): string {
  if (browser && system) return `${browser} on ${system}`
  // Programs put their name before the slash of their version.
  return browser ?? system ?? (userAgent.split(/[/ ]/)[0] || 'Unknown device')
}
