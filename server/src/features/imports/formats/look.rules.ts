import { recordOf } from './lines.ts'

type Look = { is: (text: string, first: Record<string, unknown>) => boolean; name: string }

/** Files that people try to import and that are of no use here, by how they begin. */
const looks: readonly Look[] = [
  {
    name: 'a Claude Code session',
    is: (_, { sessionId, type, message, operation }) =>
      isText(sessionId) && isText(type) && (operation ?? message) !== undefined,
  },
  {
    name: 'a Claude Code session',
    is: (_, { sessionId, parentUuid }) => isText(sessionId) && parentUuid !== undefined,
  },
  {
    name: 'a Codex session',
    is: (_, { type, payload, timestamp }) => isText(type) && isText(timestamp) && typeof payload === 'object',
  },
  {
    name: 'a Gemini CLI session',
    is: (_, { sessionId, projectHash }) => isText(sessionId) && isText(projectHash),
  },
  { name: 'an SQLite database', is: (text) => text.startsWith('SQLite format 3\0') },
  {
    name: 'an encrypted backup, which "loci restore" reads',
    is: (text) => text.startsWith('age-encryption.org/'),
  },
  { name: 'a PDF document', is: (text) => text.startsWith('%PDF-') },
  {
    name: 'a compressed file: unpack it first',
    is: (text) => text.startsWith('\x1f\ufffd') || /^(?:BZh|7z\ufffd|\ufffd7zXZ)/.test(text),
  },
  { name: 'a picture', is: (text) => /^(?:\ufffdPNG|GIF8|\ufffd\ufffd\ufffd|RIFF....WEBP)/s.test(text) },
  { name: 'a web page', is: (text) => /^\s*<(?:!doctype html|html)/i.test(text) },
  { name: 'XML', is: (text) => /^\s*<\?xml/.test(text) },
  { name: 'JSON of another program', is: (text) => /^\s*[[{]/.test(text) },
  { name: 'a table', is: isTable },
  { name: 'a binary file', is: (text) => text.includes('\0') || /\ufffd{3}/.test(text) },
  { name: 'a script', is: (text) => text.startsWith('#!') },
  { name: 'a log', is: (text) => /^\[?(?:\d{4}-\d\d-\d\d|[A-Z][a-z]{2} +\d{1,2})[T ]\d\d:?\d\d/.test(text) },
  { name: 'YAML', is: (text) => /^(?:%YAML|---\s*\n|[\w.-]+:(?: .*)?\n(?:[\w.-]+:| *-? \S))/.test(text) },
  { name: 'other text', is: (text) => text.trim() !== '' },
]

/** The first two lines have as many columns. */
function isTable(text: string): boolean {
  const [head = '', row = ''] = text.split(/\r?\n/, 2)
  return [',', ';', '\t'].some(
    (sign) => head.includes(sign) && head.split(sign).length === row.split(sign).length,
  )
}

const isText = (value: unknown) => typeof value === 'string'

/** What a file is, as far as its beginning shows; undefined if nothing is known of it. */
export function lookOf(head: string): string | undefined {
  const text = head.replace(/^\ufeff/, '')
  const first = firstLine(text)
  return looks.find(({ is }) => is(text, first))?.name
}

function firstLine(text: string): Record<string, unknown> {
  const [line = ''] = text.trimStart().split('\n', 1)
  try {
    return recordOf(JSON.parse(line))
  } catch {
    return {}
  }
}
