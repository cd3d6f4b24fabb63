import type { ImportPreview, ImportProblem, ImportReport } from '@loci/contract/imports'
import type { Progress } from '../../features/imports/import-progress.ts'
import { startImport } from '../../features/imports/imports.service.ts'
import { type OpenImport, openPath } from '../../features/imports/open-import.ts'
import { previewImport } from '../../features/imports/preview-import.ts'
import type { Config } from '../../ground/config/config.ts'
import { collectSooner } from '../../ground/lib/collect-sooner.ts'
import { counted } from '../../ground/lib/counted.ts'
import { withoutControls } from '../../ground/lib/without-controls.ts'
import type { Context } from '../../tenancy/context.ts'
import { wayOut } from '../../tenancy/usage/plan-in-force.ts'
import { type AccountOption, onAccount } from './account-option.ts'
import { importExport, importTranscripts, refusalOf, transcriptsAt } from './import-conversations.ts'
import { startProgressBar } from './progress-bar.ts'

const barFormat = '{bar} {percentage} % | {pass} | {observations} observations | {eta_formatted} left'

/** Nobody waits in this process; writers of a running server wait for one chunk at most. */
const chunkMs = 400

/**
 * Imports a file or a folder: conversations of agents as such, anything else as a memory. Ctrl-C stops after the current
 * chunk, and the next run resumes.
 */
export async function importPath(
  path: string,
  options: AccountOption & { dryRun?: boolean; conversations?: boolean },
): Promise<void> {
  collectSooner()
  const transcripts = transcriptsAt(path)
  if (transcripts.length > 0) return importTranscripts(transcripts, options)
  if (options.conversations) return importExport(path, options)
  await onAccount(options, 'import', async (ctx, actor) => {
    const file = await open(ctx, path)
    if (options.dryRun) {
      process.stdout.write(previewText(await previewImport(ctx, actor, file)))
      return
    }
    process.stderr.write(inWords(file.skipped))
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    const bar = startProgressBar(barFormat, file.bytes, { pass: 'entities', observations: 0 })
    const show = ({ position, pass, observations }: Progress) =>
      bar?.update(position.offset, { pass, observations: observations.created })
    const { end } = await startImport(ctx, actor, file, {
      signal: stop.signal,
      onProgress: show,
      chunkMs,
    })
    try {
      const report = await end
      bar?.stop()
      process.stdout.write(summaryOf(ctx.config, report))
      if (report.state !== 'finished' || hasNothing(report)) process.exitCode = 1
    } finally {
      bar?.stop()
    }
  })
}

async function open(ctx: Context, path: string): Promise<OpenImport> {
  try {
    return await openPath(ctx, path)
  } catch (cause) {
    throw refusalOf(path, cause)
  }
}

const skippedShownMax = 20

/** The files of a folder that were not read. */
function inWords(skipped: readonly string[], total = skipped.length): string {
  if (skipped.length === 0) return ''
  const shown = skipped.slice(0, skippedShownMax).map((name) => `  ${withoutControls(name)}\n`)
  const more = total > shown.length ? `  and ${total - shown.length} more\n` : ''
  return `Not read, since they are links or hold nothing of this kind:\n${shown.join('')}${more}`
}

/** Nothing of the file could be read. */
const hasNothing = ({ entities, observations, relations, problems }: ImportReport) =>
  problems.total > 0 &&
  [entities, observations, relations].every(({ created, existing }) => created + existing === 0)

const outcomes: Record<ImportReport['state'], string> = {
  finished: 'Imported.',
  plan_limit_reached: 'Stopped: the plan allows no more.',
  interrupted: 'Interrupted. Run the same command to go on.',
  running: 'Still running.',
}

/** The preview printed by `--dry-run`. */
function previewText(preview: ImportPreview): string {
  const { format, isWhole, entityTypes, relationTypes, sample, existing, skipped, problems } = preview
  const types = (counts: readonly { type: string; count: number }[]) =>
    withoutControls(counts.map(({ type, count }) => `${type} ${count}`).join(', '))
  const examples = sample.map(
    ({ name, type, observations: [first = ''] }) =>
      `  ${withoutControls(`${name} (${type}): ${first.replace(/\s+/g, ' ').slice(0, 100)}`)}\n`,
  )
  const names = withoutControls(existing.map(({ name }) => name).join(', '))
  return [
    `Would import (${format})${isWhole ? '' : ', looking at the beginning only'}\n`,
    ...countRows(preview),
    ...(entityTypes.length === 0 ? [] : [`Types of entities: ${types(entityTypes)}\n`]),
    ...(relationTypes.length === 0 ? [] : [`Types of relations: ${types(relationTypes)}\n`]),
    ...(examples.length === 0 ? [] : ['For example\n', ...examples]),
    ...(existing.length === 0 ? [] : [`There already, and gain what they lack: ${names}\n`]),
    inWords(skipped.first, skipped.total),
    ...problemLines(problems),
    'Nothing was stored.\n',
  ].join('')
}

/** `people/ada.md:12`, `conversations.json, entry 3`, `line 7`. */
function placeOf({ file, line, item }: ImportProblem): string {
  if (item !== undefined) return file === undefined ? `entry ${item}` : `${file}, entry ${item}`
  return file === undefined ? `line ${line}` : `${file}:${line}`
}

function summaryOf(config: Config, report: ImportReport): string {
  const { state, entities, observations, relations, problems } = report
  return [
    `${state === 'finished' && hasNothing(report) ? 'Nothing was imported.' : outcomes[state]}\n`,
    ...(state === 'plan_limit_reached'
      ? [`${wayOut(config, 'store more')} Then run the same command to go on.\n`]
      : []),
    ...countRows({ entities, observations, relations }),
    ...problemLines(problems),
  ].join('')
}

type Counts = Pick<ImportReport, 'entities' | 'observations' | 'relations'>

function countRows({ entities, observations, relations }: Counts): string[] {
  return Object.entries({ entities, observations, relations }).map(
    ([name, { created, existing }]) =>
      `  ${name.padEnd(14)}${String(created).padStart(10)} new ${String(existing).padStart(10)} there already\n`,
  )
}

function problemLines({ total, first }: ImportReport['problems']): string[] {
  if (total === 0) return []
  const listed = first.map(
    (problem) => `  ${withoutControls(placeOf(problem))}: ${withoutControls(problem.message)}\n`,
  )
  const more = total - first.length
  return [`${counted(total, 'problem')}\n`, ...listed, ...(more > 0 ? [`  and ${more} more\n`] : [])]
}
