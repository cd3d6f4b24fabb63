import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { HealthItem, HealthReport, HealthSubject } from '@loci/contract/health'
import { healthKinds } from '@loci/contract/health'
import { checkMemory } from '../../features/health/check-memory.ts'
import { type FileSource, openFileSource } from '../../features/health/file-source.ts'
import { type AuditedMemory, toHealthPage } from '../../features/health/health-page.ts'
import type { HealthSource } from '../../features/health/health-source.ts'
import { describeCure, healthWords } from '../../features/health/health-words.ts'
import { openSpaceSource } from '../../features/health/space-source.ts'
import { ConfigError } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { collectSooner } from '../../ground/lib/collect-sooner.ts'
import { counted } from '../../ground/lib/counted.ts'
import { createIdMaker } from '../../ground/lib/ids.ts'
import { linesOfJson, withoutControls } from '../../ground/lib/without-controls.ts'
import { type AccountOption, readingAccount } from './account-option.ts'
import { writeOutput } from './write-output.ts'

type Printing = { html?: string; json?: boolean; all?: boolean }

const shownMax = 5
const charactersShown = 160
const notesMax = 5

/** `loci audit`: looks for what is wrong with a memory. Nothing is stored, and nothing is sent. */
export async function audit(path: string | undefined, options: Printing & AccountOption): Promise<void> {
  if (path === undefined) return auditSpace(options)
  if (options.space !== undefined || options.account !== undefined)
    throw new ConfigError('Give a path, or a space of this machine, not both.', { exitCode: 2 })
  return auditPath(path, options)
}

async function auditSpace(options: Printing & AccountOption): Promise<void> {
  await readingAccount(options, 'audit', async (ctx, actor) => {
    await report(
      await openSpaceSource(ctx, actor),
      { name: options.space ?? 'This memory', notes: [] },
      options,
    )
  })
}

async function auditPath(path: string, options: Printing): Promise<void> {
  if (!existsSync(path)) throw new ConfigError(`There is no ${path}.`, { exitCode: 2 })
  collectSooner()
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-audit-'))
  try {
    const source = await open(dataDir, path)
    const notes = notesOf(source)
    await report(source, { name: `${resolve(path)} (${source.format})`, notes }, options)
    await source.close()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function open(dataDir: string, path: string): Promise<FileSource> {
  try {
    return await openFileSource({ config: { dataDir }, newId: createIdMaker(Date.now) }, path)
  } catch (cause) {
    const message = cause instanceof AppError ? cause.message : (cause as Error).message
    throw new ConfigError(`${path} cannot be checked: ${message}`, { cause, exitCode: 2 })
  }
}

function notesOf({ skipped, problems }: FileSource): string[] {
  const first = problems.slice(0, notesMax).map(({ file, line, message }) => {
    const place = file ?? (line === undefined ? undefined : `line ${line}`)
    return place === undefined ? message : `${place}: ${message}`
  })
  const unread =
    skipped.length === 0 ? [] : [`${skipped.length} files were not read: they are links or of another kind.`]
  const more = problems.length > notesMax ? ['More lines could not be read.'] : []
  return [...unread, ...first, ...more]
}

/** Checks a memory and prints what was found; the exit code is 1 if there is anything. */
async function report(source: HealthSource, memory: AuditedMemory, options: Printing): Promise<void> {
  const isTerminal = process.stderr.isTTY === true
  const of = source.counts.observations.toLocaleString('en-US')
  const onProgress = isTerminal
    ? (checked: number) => process.stderr.write(`\rChecking, ${checked.toLocaleString('en-US')} of ${of} `)
    : undefined
  const found = await checkMemory(source, { now: Date.now(), onProgress })
  if (isTerminal) process.stderr.write('\r\u001b[K')
  if (options.html !== undefined) writeOutput(options.html, toHealthPage(found, memory))
  process.stdout.write(options.json ? `${linesOfJson(found)}\n` : inWords(found, memory, options))
  if (found.items.length > 0) process.exitCode = 1
}

function inWords(found: HealthReport, { name, notes }: AuditedMemory, { all, html }: Printing): string {
  const { counts, items, checked } = found
  const sections = healthKinds.flatMap((kind) => {
    const count = counts[kind] ?? 0
    if (count === 0) return []
    const own = items.filter((item) => item.kind === kind)
    const shown = all ? own : own.slice(0, shownMax)
    const more = count - shown.length
    const { title, about } = healthWords[kind]
    return [
      '',
      `${title}  ${count.toLocaleString('en-US')}  ${about}`,
      ...shown.flatMap(itemLines),
      ...(more > 0 ? [`  and ${more.toLocaleString('en-US')} more`] : []),
    ]
  })
  const observations = counted(checked.observations, 'observation')
  const entities = counted(checked.entities, 'entity', 'entities')
  const sum =
    sections.length === 0
      ? `Nothing to mend. ${observations} checked.`
      : `${observations} of ${entities} checked.`
  const page = html === undefined ? [] : ['', `The page is in ${html}.`]
  return `${[name, sum, ...notes, ...sections, ...page].map(withoutControls).join('\n')}\n`
}

function itemLines(item: HealthItem): string[] {
  return ['', ...item.subjects.map(subjectLine), `    ${item.evidence} ${shorten(describeCure(item))}`]
}

function subjectLine({ entity, observation, place }: HealthSubject): string {
  const text = observation === undefined ? entity.type : observation.content
  return `  ${entity.name}: ${shorten(text)}${place === undefined ? '' : `  (${place})`}`
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > charactersShown ? `${line.slice(0, charactersShown).toWellFormed()}...` : line
}
