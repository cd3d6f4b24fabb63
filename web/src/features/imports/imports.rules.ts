import type { ImportFormat, ImportProblem, ImportReport } from '@loci/contract/imports'

const bytesMax = 1024 ** 3

/** Why a file is not worth sending; undefined if it is. */
export function findFileProblem({ name, size }: { name: string; size: number }): string | undefined {
  if (!/\.(?:jsonl|ndjson|json|zip|md|markdown|txt|csv)$/i.test(name)) {
    return 'This kind of file cannot be imported. Choose a JSON, ZIP, Markdown, text or CSV file.'
  }
  if (size === 0) return 'The file is empty'
  return size > bytesMax ? 'The file is larger than 1 GiB' : undefined
}

/** The server detects the format by content, except for JSON lines, whose content is ambiguous. */
export function mediaTypeOf(name: string): string {
  return /\.(?:jsonl|ndjson)$/i.test(name) ? 'application/x-ndjson' : 'application/octet-stream'
}

export const formatNames: Record<ImportFormat, string> = {
  loci: 'Loci export',
  'mcp-memory': 'Reference memory server file',
  markdown: 'Markdown notes',
  chatgpt: 'ChatGPT export',
  claude: 'Claude export',
  mem0: 'mem0 memories',
  graphiti: 'Zep or Graphiti graph',
}

export const placeOf = ({ line = 0, item = line }: ImportProblem) => item

/** `Line 3`, `conversations.json, entry 12`. */
export function placeText(problem: ImportProblem): string {
  const place = `${problem.item === undefined ? 'line' : 'entry'} ${placeOf(problem)}`
  return problem.file === undefined
    ? place.replace(/^./, (first) => first.toUpperCase())
    : `${problem.file}, ${place}`
}

/** From 0 to 100. The server reads the file twice, the second time for relations. */
export function percentOf({ state, pass, bytes, bytesDone }: ImportReport): number {
  if (state === 'finished' || bytes === 0) return 100
  const behind = pass === 'relations' ? bytes + bytesDone : bytesDone
  return Math.floor((100 * behind) / (2 * bytes))
}
