import type { ConversationProject, NewTurn, StoreTurns } from '@loci/contract/conversations'
import { redactSecrets } from '../../../ground/redact/redact-secrets.ts'
import type { ReadTurn } from './reader.ts'

export type CleanTurn = ReadTurn & { cut?: number }

const textMax = 65_536
const filesMax = 50
const pathMax = 500

/** Removes secrets and private parts from a text. */
export type Clean = (text: string) => string

/** Counts on `outcome` what it removes. */
export const countingClean =
  (outcome: { redacted: number }): Clean =>
  (text) => {
    const cleaned = redactSecrets(text)
    outcome.redacted += cleaned.redacted
    return cleaned.text
  }

/**
 * A turn as it may leave this process: without secrets and private parts, cut to what is stored. Redacted before it is
 * cut, so that no half of a secret is left at the end.
 */
export function cleanTurn(turn: ReadTurn, clean: Clean): CleanTurn {
  const { files } = turn
  return cutTurn(cleanTexts({ ...turn, ...(files && { files: namesOf(files) }) }, clean))
}

/** A turn whose texts were cleaned, uncut. */
export function cleanTexts<T extends Pick<NewTurn, 'text' | 'tool' | 'files'>>(turn: T, clean: Clean): T {
  const { text, tool, files } = turn
  return {
    ...turn,
    text: clean(text),
    ...(tool && { tool: cleanTool(tool, clean) }),
    ...(files && { files: files.map(clean) }),
  }
}

/** A turn whose secrets were removed, cut to what is stored. */
export function cutTurn(turn: ReadTurn): CleanTurn {
  const cut = turn.text.length - textMax
  return cut > 0 ? { ...turn, text: turn.text.slice(0, textMax), cut } : turn
}

const cleanTool = ({ name, input, ...tool }: NonNullable<NewTurn['tool']>, clean: Clean) => ({
  ...{ name: clean(name), ...tool },
  ...(input !== undefined && { input: clean(input) }),
})

const namesOf = (files: readonly string[]) =>
  files.filter((path) => path.length <= pathMax).slice(0, filesMax)

/** The same for what is known of a conversation. */
export function cleanConversation<T extends Pick<StoreTurns['conversation'], 'title' | 'project'>>(
  conversation: T,
  clean: Clean,
): T {
  const { title, project } = conversation
  return {
    ...conversation,
    ...(title && { title: clean(title) }),
    ...(project && { project: cleanProject(project, clean) }),
  }
}

function cleanProject({ name, ...project }: ConversationProject, clean: Clean): ConversationProject {
  const rest = Object.entries(project).map(([key, text]) => [key, text && clean(text)])
  return { name: clean(name), ...Object.fromEntries(rest) }
}
