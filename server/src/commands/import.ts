import type { ImportProblem, ImportReport } from '@loci/contract/imports'
import { Presets, SingleBar } from 'cli-progress'
import { type Config, ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import type { Progress } from '../features/imports/import-progress.ts'
import { startImport } from '../features/imports/imports.service.ts'
import { openPath } from '../features/imports/open-import.ts'
import type { ImportFile } from '../features/imports/open-import-file.ts'
import { withoutControls } from '../lib/without-controls.ts'
import { wayOut } from '../usage/plan-in-force.ts'
import { type AccountOption, findAccount } from './account-option.ts'
import { commandRights } from './command-rights.ts'
import { withContext } from './with-context.ts'

/** Nobody waits in this process; writers of a server beside it wait for a chunk at the most. */
const chunkMs = 400

/** Imports a file or a folder; Ctrl-C ends it after the chunk under way, and the next run goes on. */
export async function importPath(path: string, options: AccountOption): Promise<void> {
  await withContext(async (ctx) => {
    const actor = await findAccount(ctx, options, commandRights.import)
    const file = await open(ctx, path)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    const bar = progressBar(file.bytes)
    const { end } = await startImport(ctx, actor, file, {
      signal: stop.signal,
      onProgress: bar.show,
      chunkMs,
    })
    try {
      const report = await end
      bar.stop()
      process.stdout.write(summaryOf(ctx.config, report))
      if (report.state !== 'finished') process.exitCode = 1
    } finally {
      bar.stop()
    }
  })
}

async function open(ctx: Context, path: string): Promise<ImportFile> {
  try {
    const { skipped, ...file } = await openPath(ctx, path)
    process.stderr.write(inWords(skipped))
    return file
  } catch (cause) {
    throw new ConfigError(`${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

const skippedShownMax = 20

/** What of a folder was not read. */
function inWords(skipped: readonly string[]): string {
  if (skipped.length === 0) return ''
  const shown = skipped.slice(0, skippedShownMax).map((name) => `  ${withoutControls(name)}\n`)
  const more = skipped.length > skippedShownMax ? `  and ${skipped.length - skippedShownMax} more\n` : ''
  return `Not read, since they are links or hold nothing of this kind:\n${shown.join('')}${more}`
}

/** A bar on a terminal, nothing elsewhere. */
function progressBar(bytes: number): { show: (progress: Progress) => void; stop: () => void } {
  if (process.stderr.isTTY !== true) return { show() {}, stop() {} }
  const bar = new SingleBar(
    { format: '{bar} {percentage} % | {pass} | {observations} observations | {eta_formatted} left' },
    Presets.shades_classic,
  )
  bar.start(bytes, 0, { pass: 'entities', observations: 0 })
  return {
    show: ({ position, pass, observations }) =>
      bar.update(position.offset, { pass, observations: observations.created }),
    stop: () => bar.stop(),
  }
}

const outcomes: Record<ImportReport['state'], string> = {
  finished: 'Imported.',
  plan_limit_reached: 'Stopped: the plan allows no more.',
  interrupted: 'Interrupted. Run the same command to go on.',
  running: 'Still running.',
}

/** `people/ada.md:12`, `conversations.json, entry 3`, `line 7`. */
function placeOf({ file, line, item }: ImportProblem): string {
  if (item !== undefined) return file === undefined ? `entry ${item}` : `${file}, entry ${item}`
  return file === undefined ? `line ${line}` : `${file}:${line}`
}

function summaryOf(
  config: Config,
  { state, entities, observations, relations, problems }: ImportReport,
): string {
  const row = (name: string, { created, existing }: { created: number; existing: number }) =>
    `  ${name.padEnd(14)}${String(created).padStart(10)} new ${String(existing).padStart(10)} there already\n`
  const listed = problems.first.map(
    (problem) => `  ${withoutControls(placeOf(problem))}: ${withoutControls(problem.message)}\n`,
  )
  const more = problems.total - problems.first.length
  return [
    `${outcomes[state]}\n`,
    ...(state === 'plan_limit_reached'
      ? [`${wayOut(config, 'store more')} Then run the same command to go on.\n`]
      : []),
    row('entities', entities),
    row('observations', observations),
    row('relations', relations),
    ...(problems.total === 0 ? [] : [`${problems.total} problems\n`, ...listed]),
    ...(more > 0 ? [`  and ${more} more\n`] : []),
  ].join('')
}
