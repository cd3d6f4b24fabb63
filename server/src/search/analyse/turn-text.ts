import type { TurnRole, TurnTool } from '@loci/contract/conversations'

/** What the text to index of a turn is made from. */
export type TurnParts = {
  role: TurnRole
  text: string
  tool?: TurnTool | undefined
  files?: readonly string[] | undefined
}

/**
 * A turn as it is searched: what was said, and for a tool its name, input, result and files. That it failed, and with
 * which exit code, is said in words, so that "what did we try when the build failed?" finds it. What was said comes
 * first, since long texts are cut into passages.
 */
export function turnTextOf({ role, text, tool, files = [] }: TurnParts): string {
  if (role !== 'tool' && tool === undefined) return text
  const lines = [`${tool?.name ?? ''} ${tool?.input ?? ''}`.trim(), text, outcomeOf(tool), files.join('\n')]
  return lines.filter((line) => line !== '').join('\n')
}

function outcomeOf(tool: TurnParts['tool']): string {
  if (tool === undefined) return ''
  const { ok, exitCode } = tool
  const code = exitCode === undefined ? '' : `exit code ${exitCode}`
  if (ok === false || (exitCode ?? 0) !== 0) return `failed error ${code}`.trim()
  return code === '' ? '' : `succeeded ${code}`
}
