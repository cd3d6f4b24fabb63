import { createHash } from 'node:crypto'
import { NewTurn, type StoreTurns, turnFilesMax, turnTextMax } from '@loci/contract/conversations'
import type { TurnBatch } from './turn-batches.ts'

/**
 * A batch as the contract takes it. What agents write is not ours to judge: one odd time, path or character must not
 * keep all other turns back.
 */
export function toStorable({ conversation, turns }: TurnBatch): StoreTurns {
  const { agent, externalId, title, startedAt, project } = conversation
  const began = toTime(startedAt)
  return {
    conversation: {
      agent,
      externalId: toShortId(externalId),
      ...(title && { title: storable(title, 1_024) }),
      ...(began && { startedAt: began }),
      ...(project?.name && { project: toProject(project) }),
    },
    turns: turns.map((turn) => toStorableTurn(turn, began)),
  }
}

function toStorableTurn(turn: TurnBatch['turns'][number], began: string | undefined): NewTurn {
  const { externalId, at, role, text, tool, files, cut } = turn
  const paths = files?.map((path) => storable(path, 1_024)).filter(Boolean)
  return {
    externalId: toShortId(externalId),
    at: toTime(at) ?? began ?? new Date(0).toISOString(),
    role,
    text: storable(text, text.length),
    ...(tool && { tool: toTool(tool) }),
    ...(paths && paths.length > 0 && { files: paths.slice(0, turnFilesMax) }),
    ...(cut && { cut }),
  }
}

function toTool({ name, input, ok, exitCode }: NonNullable<TurnBatch['turns'][number]['tool']>) {
  return {
    name: storable(name, 256) || 'tool',
    ...(input !== undefined && { input: storable(input, turnTextMax) }),
    ...(ok !== undefined && { ok }),
    ...(isExitCode(exitCode) && { exitCode }),
  }
}

const isExitCode = (code: number | undefined) =>
  code !== undefined && NewTurn.shape.tool.unwrap().shape.exitCode.safeParse(code).success

function toProject({ name, path, repository, branch }: NonNullable<TurnBatch['conversation']['project']>) {
  return {
    name: storable(name, 256),
    ...(path && { path: storable(path, 1_024) }),
    ...(repository && { repository: storable(repository, 1_024) }),
    ...(branch && { branch: storable(branch, 256) }),
  }
}

/** Without what no database stores: NUL characters, and halves of characters such as a cut leaves. */
const storable = (text: string, max: number) =>
  text.slice(0, max).toWellFormed().replaceAll('\u0000', '\ufffd')

/** ISO-8601 UTC; undefined for anything else. */
function toTime(text: string | undefined): string | undefined {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) || Math.abs(time) > latestTime ? undefined : new Date(time).toISOString()
}

/** The end of the year 9999: later ones have more digits. */
const latestTime = Date.UTC(9999, 11, 31)

const toShortId = (id: string) =>
  id.length <= 256 && storable(id, 256) === id
    ? id
    : createHash('sha256').update(id.toWellFormed()).digest('hex')
