import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import {
  type FactOfEntity,
  type FileNow,
  type VerifyResponse,
  verifiedFilesMax,
} from '@loci/contract/cited-files'
import { ConfigError, readConfig } from '../../ground/config/config.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { type CitedText, locate, toCitedText } from '../../ground/lib/cited-lines.ts'
import { linesOfJson, withoutControls } from '../../ground/lib/without-controls.ts'
import type { AccountOption } from './account-option.ts'
import { type CitedFacts, withCitedFacts } from './verify-memory.ts'

type Options = AccountOption & { repository?: string; json?: boolean }

type Stale = VerifyResponse['stale'][number] & { content: string; entity: string }
type Report = { repository: string; facts: number; confirmed: number; stale: Stale[]; moved: Moved[] }

/** `loci verify`: compares what facts cite of a repository with a folder; the exit code is 1 if something is stale. */
export async function verify(folder = '.', { json = false, ...options }: Options): Promise<void> {
  const root = resolve(folder)
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(`${folder} is not a folder.`)
  const names = options.repository === undefined ? namesOf(root) : [options.repository]
  await withCitedFacts(readConfig(), options, async (memory) => {
    const report = await verifyFolder(memory, root, names)
    process.stdout.write(json ? `${linesOfJson(report)}\n` : inWords(report))
    if (report.stale.length > 0) process.exitCode = 1
  })
}

async function verifyFolder(memory: CitedFacts, root: string, names: readonly string[]): Promise<Report> {
  const report: Report = { repository: names[0]!, facts: 0, confirmed: 0, stale: [], moved: [] }
  const seen = new Set<string>()
  for (const repository of names) {
    const facts = (await memory.list(repository)).filter(({ id }) => !seen.has(id))
    for (const { id } of facts) seen.add(id)
    const byId = new Map(facts.map((fact) => [fact.id, fact]))
    const { files, moved } = readCited(root, facts, names)
    report.facts += facts.length
    report.moved.push(...moved)
    // Whole files stay together, so that each fact has all of one path at once.
    for (const some of chunksOf(
      files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      verifiedFilesMax,
    )) {
      const { stale } = await memory.verify(repository, some)
      report.stale.push(...stale.flatMap((one) => describe(one, byId.get(one.observationId))))
    }
  }
  report.stale = [
    ...new Map(report.stale.map((one) => [`${one.observationId} ${one.path} ${one.lines}`, one])).values(),
  ]
  report.confirmed = report.facts - new Set(report.stale.map(({ observationId }) => observationId)).size
  return report
}

const describe = (stale: VerifyResponse['stale'][number], fact: FactOfEntity | undefined): Stale[] =>
  fact === undefined ? [] : [{ ...stale, content: fact.content, entity: fact.entity.name }]

/** The names by which facts may call the repository of a folder, the fullest first. */
function namesOf(root: string): string[] {
  const { stdout } = spawnSync('git', ['-C', root, 'remote', 'get-url', 'origin'], { encoding: 'utf8' })
  const url = stdout?.trim() ?? ''
  const path = url
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^/:]+):(?!\d+\/)/, '$1/')
    .replace(/\.git\/?$|\/$/, '')
  const parts = path.split('/').filter((part) => part !== '')
  const endings = parts.map((_, index) => parts.slice(index).join('/'))
  return [...new Set([...endings, ...(url === '' ? [] : [url]), basename(root)])].filter(
    (name) => name !== '',
  )
}

const shownMax = 100

function inWords({ repository, facts, confirmed, stale, moved }: Report): string {
  const lines = stale.map(({ observationId, path, lines: cited, reason, entity, content }) => {
    const where = cited === undefined ? path : `${path}:${cited}`
    return `stale  ${observationId}  ${where} ${reason === 'gone' ? 'is gone' : 'has changed'}  ${entity}: ${shorten(content)}`
  })
  const places = moved.map(
    ({ observationId, path, from, to }) => `moved  ${observationId}  ${path}:${from} is at ${to}`,
  )
  const sum = `${facts} ${facts === 1 ? 'fact rests' : 'facts rest'} on files of ${repository}: ${confirmed} as they were, ${facts - confirmed} stale.`
  return `${[...lines, ...places, sum].map(withoutControls).join('\n')}\n`
}

const shorten = (text: string) =>
  text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()}...` : text

/** Larger files are not source text. */
const fileBytesMax = 32 * 1024 * 1024

/** Lines that are elsewhere in their file now. */
type Moved = { observationId: string; path: string; from: string; to: string }

/** What facts cite, as it is in a folder. */
type FilesInFolder = { files: FileNow[]; moved: Moved[] }

/**
 * Reads the files that facts cite. Of files that name no repository only those that exist are in the answer: the others
 * can be of another repository. Nothing outside the folder is read.
 */
function readCited(folder: string, facts: readonly FactOfEntity[], names: readonly string[]): FilesInFolder {
  const root = realpathSync(folder)
  const texts = new Map<string, CitedText | undefined>()
  const read = (path: string) => {
    if (!texts.has(path)) texts.set(path, readWithin(root, path))
    return texts.get(path)
  }
  const files = new Map<string, FileNow>()
  const moved: Moved[] = []
  for (const { id, files: cited = [] } of facts) {
    for (const { path, lines, hash, repository } of cited) {
      if (repository !== undefined && !names.includes(repository)) continue
      const text = read(path)
      if (text === undefined && repository === undefined) continue
      const found = text === undefined ? undefined : locate(text, lines, hash)
      const now = found === undefined ? null : found.isSame && hash !== undefined ? hash : found.hash
      files.set(`${path}\n${lines}\n${now}`, { path, ...(lines && { lines }), hash: now })
      const to = found?.first === undefined ? lines : inLines(found.first, found.last)
      if (found?.isSame && found.first !== undefined && !isSameRange(lines, to))
        moved.push({ observationId: id, path, from: lines!, to: to! })
    }
  }
  return { files: [...files.values()], moved }
}

const inLines = (first: number, last = first) => (first === last ? String(first) : `${first}-${last}`)
const isSameRange = (one = '', other = '') => one.replace(/[^\d]+/g, ' ').trim() === other.replace('-', ' ')

/** Undefined if there is no such file within the folder. */
function readWithin(root: string, path: string): CitedText | undefined {
  try {
    const real = realpathSync(join(root, path))
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
    const found = statSync(real)
    return found.isFile() && found.size <= fileBytesMax ? toCitedText(readFileSync(real)) : undefined
  } catch {
    return undefined
  }
}
