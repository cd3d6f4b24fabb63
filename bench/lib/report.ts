import { cpus, release, totalmem, type } from 'node:os'

export type Row = Record<string, string | number>

/** Describes the machine in general terms. */
export function machine(): string {
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`
  return `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${memory}, ${type()} ${release().split('-')[0]}, Node ${process.versions.node}`
}

/** Prints rows as a Markdown table under a heading. */
export function print(title: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: readonly (string | number | undefined)[]) => `| ${cells.join(' | ')} |`
  const lines = [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((column) => row[column]))),
  ]
  process.stdout.write(`\n### ${title}\n\n${lines.join('\n')}\n`)
}

/** The value below which `share` (0 to 1) of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

/** `2.4x`, or a dash if not measured. */
export const times = (ratio: number | undefined) =>
  ratio === undefined || Number.isNaN(ratio) ? '-' : `${ratio.toFixed(ratio < 10 ? 2 : 0)}x`
