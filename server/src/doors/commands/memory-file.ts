import type { ImportReport } from '@loci/contract/imports'
import { type TakeOver, takeOverFile } from '../../features/imports/take-over-file.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { ownCommand } from '../../ground/lib/own-command.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { wayOut } from '../../tenancy/usage/plan-in-force.ts'

/** Agents wait, and writers of a running server wait for one chunk at most. */
const chunkMs = 400
const problemsShownMax = 10

/**
 * Imports the reference memory server's file, named by MEMORY_FILE_PATH, into a memory that is still empty. Reports
 * what it did; never fails.
 */
export async function takeOverMemoryFile(
  ctx: Context,
  actor: Actor,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    return toSentences(ctx, path, await takeOverFile(ctx, actor, path, { signal, chunkMs }))
  } catch (error) {
    return `${reasonOf(path, error)}\n`
  }
}

function reasonOf(path: string, error: unknown): string {
  if (error instanceof AppError) {
    return error.code === 'import_conflict'
      ? `Another process is taking over ${path}.`
      : `${path} was not taken over. ${error.message}.`
  }
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ENOENT'
    ? `MEMORY_FILE_PATH names ${path}, but there is no such file. Nothing was taken over.`
    : `${path}, which MEMORY_FILE_PATH names, was not taken over: ${message}`
}

function toSentences(ctx: Context, path: string, outcome: TakeOver): string {
  if (outcome === 'taken_before')
    return `MEMORY_FILE_PATH is not read: ${path} was taken over before, and the memory is kept in ${placeOf(ctx)}.\n`
  if (outcome === 'not_empty')
    return `MEMORY_FILE_PATH is not read: the memory in ${placeOf(ctx)} is not empty. To add the file to it, run "${ownCommand(`import ${path}`)}".\n`
  return `${summaryOf(ctx, path, outcome)}\n${problemsOf(outcome)}`
}

function summaryOf(
  ctx: Context,
  path: string,
  { state, entities, observations, relations }: ImportReport,
): string {
  const [of, and, also] = [
    count(entities.created, 'entity', 'entities'),
    count(observations.created, 'observation', 'observations'),
    count(relations.created, 'relation', 'relations'),
  ]
  const taken = `Took over ${of}, ${and} and ${also} from ${path}.`
  if (state === 'finished')
    return `${taken} From now on this memory is kept in ${placeOf(ctx)}; the file is not changed.`
  const reason =
    state === 'plan_limit_reached'
      ? `The plan allows no more. ${wayOut(ctx.config, 'store more')}`
      : 'It was interrupted.'
  return `${taken} ${reason} The rest follows at a later start.`
}

function problemsOf({ problems }: ImportReport): string {
  if (problems.total === 0) return ''
  const shown = problems.first.slice(0, problemsShownMax)
  const lines = shown.map(({ line, message }) => `  line ${line}: ${message}\n`)
  const more = problems.total - shown.length
  return [
    `${count(problems.total, 'problem', 'problems')} in the file:\n`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more\n`] : []),
  ].join('')
}

const placeOf = ({ config }: Context) =>
  config.databaseUrl === undefined ? config.dataDir : 'the database of DATABASE_URL'

const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
