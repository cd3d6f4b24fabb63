import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { FactOfEntity, VerifyResponse } from '@loci/contract/cited-files'
import { verifiedFilesMax } from '@loci/contract/cited-files'
import { ConfigError, readConfig } from '../../ground/config/config.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { linesOfJson, withoutControls } from '../../ground/lib/without-controls.ts'
import type { AccountOption } from './account-option.ts'
import { type Moved, readCited } from './verify-files.ts'
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
