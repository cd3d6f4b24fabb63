import {
  type ConversationProject,
  type NewTurn,
  type StoreTurns,
  turnTextMax,
} from '@loci/contract/conversations'
import { redactInThread } from '../../ground/redact/redact-in-thread.ts'
import { redactSecrets } from '../../ground/redact/redact-secrets.ts'

type Cleaned = StoreTurns & { redacted: number }

/** Below this, sending texts to a thread takes longer than reading them here. */
const charactersMin = 8_000

/**
 * Turns as they may be stored: without secrets and private passages, and no longer than a turn may be. Senders have
 * removed them already, as far as they know them. Redacted before it is cut, so that no half of a secret is left.
 */
export async function cleanTurns(input: StoreTurns): Promise<Cleaned> {
  const texts: string[] = []
  mapTexts(input, (text) => {
    texts.push(text)
    return text
  })
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const redacted = length < charactersMin ? texts.map(redactSecrets) : await redactInThread(texts)
  let at = 0
  const { conversation, turns } = mapTexts(input, () => redacted[at++]!.text)
  return {
    conversation,
    turns: turns.map(withinBounds),
    redacted: redacted.reduce((sum, one) => sum + one.redacted, 0),
  }
}

type Replace = (text: string) => string

/** Replaces every text but the names of agents and the ids that they give. */
function mapTexts({ conversation, turns }: StoreTurns, replace: Replace): StoreTurns {
  const { title, project } = conversation
  return {
    conversation: {
      ...conversation,
      ...(title !== undefined && { title: replace(title) }),
      ...(project && { project: mapProject(project, replace) }),
    },
    turns: turns.map(({ text, tool, files, ...turn }) => ({
      ...turn,
      text: replace(text),
      ...(tool && { tool: mapTool(tool, replace) }),
      ...(files && { files: files.map(replace) }),
    })),
  }
}

function mapProject({ name, ...project }: ConversationProject, replace: Replace): ConversationProject {
  const rest = Object.entries(project).map(([key, text]) => [key, text && replace(text)])
  return { name: replace(name), ...Object.fromEntries(rest) }
}

const mapTool = ({ name, input, ...tool }: NonNullable<NewTurn['tool']>, replace: Replace) => ({
  ...tool,
  name: replace(name),
  ...(input !== undefined && { input: replace(input) }),
})

function withinBounds({ text, tool, cut = 0, ...turn }: NewTurn): NewTurn {
  const kept = startOf(text)
  const left = cut + text.length - kept.length
  return {
    ...turn,
    text: kept,
    ...(tool && { tool: { ...tool, ...(tool.input !== undefined && { input: startOf(tool.input) }) } }),
    ...(left > 0 && { cut: left }),
  }
}

/** As much as a turn may have, without half of a character at the end. */
function startOf(text: string): string {
  if (text.length <= turnTextMax) return text
  const isHalf = /[\ud800-\udbff]/.test(text[turnTextMax - 1]!)
  return text.slice(0, isHalf ? turnTextMax - 1 : turnTextMax)
}
