/** What was found of one thing: `warning` will become trouble, `failed` is trouble now. */
export type Finding = {
  check: string
  state: 'ok' | 'warning' | 'failed'
  /** One sentence. */
  says: string
  /** What to do about it; absent if nothing is to be done. */
  cure?: string
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says })

export const warning = (check: string, says: string, cure: string): Finding => ({
  check,
  state: 'warning',
  says,
  cure,
})

export const failed = (check: string, says: string, cure: string): Finding => ({
  check,
  state: 'failed',
  says,
  cure,
})

const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** `12.3 GB`. */
export function inBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${power === 0 ? bytes : (bytes / 1_000 ** power).toFixed(1)} ${units[power]}`
}
