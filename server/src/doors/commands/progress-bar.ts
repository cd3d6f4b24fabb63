import { Presets, SingleBar } from 'cli-progress'

/** A progress bar on a terminal, nothing elsewhere. `values` are those that the format names. */
export function startProgressBar(format: string, total: number, values: object = {}): SingleBar | undefined {
  if (process.stderr.isTTY !== true) return undefined
  const bar = new SingleBar({ format }, Presets.shades_classic)
  bar.start(total, 0, values)
  return bar
}
