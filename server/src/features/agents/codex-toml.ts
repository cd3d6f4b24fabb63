/*
 * Our table in the configuration of Codex. Codex and people write into the same file, behind our table too, so nothing
 * is ours but the table itself and the line before it (https://toml.io/en/v1.0.0).
 */

const server = 'mcp_servers.loci'
const mark = '# Written by "loci connect", removed by "loci connect --remove".'
/** Around the table, and whatever Codex wrote behind it, in what earlier versions wrote. */
const earlierMarks = [
  '# loci: begin (written by "loci connect", removed by "loci connect --remove")',
  '# loci: end',
]

/** A table's header, a pair or a comment with the lines that it takes. */
type Statement = { text: string; isHeader: boolean; isMark: boolean; table: string; key: string }

/**
 * `ours`; `theirs`: one that the person wrote; `closed`: an inline table of all servers, or a text that does not end,
 * to which none can be added.
 */
type Place = 'none' | 'ours' | 'theirs' | 'closed'

export function placeInToml(text: string): Place {
  const statements = statementsOf(text)
  if (statements.some(({ isMark }) => isMark) && statements.some(isOurCommand)) return 'ours'
  if (statements.some((statement) => isWithin(statement, server))) return 'theirs'
  const isClosed = statements.some(({ table, key }) => table === '' && key === 'mcp_servers')
  return isClosed || textsOf(text).isOpen ? 'closed' : 'none'
}

/** The text with these pairs in our table; what else was written into it stays. */
export function setInToml(text: string, pairs: readonly string[]): string {
  if (placeInToml(text) !== 'ours') {
    const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
    return `${text}${gap}${[mark, `[${server}]`, ...pairs].join('\n')}\n`
  }
  const renewed = pairs.map((pair) => `${server}.${keyOf(pair)}`)
  return statementsOf(text)
    .filter((statement) => isRemark(statement) || !renewed.some((path) => isWithin(statement, path)))
    .flatMap((statement) => (isOurHeader(statement) ? [statement.text, ...pairs] : statement.text))
    .join('\n')
}

/** The text without our table and the tables in it, such as those in which Codex keeps what a tool may do. */
export function removeFromToml(text: string): string {
  if (placeInToml(text) !== 'ours') return text
  const statements = statementsOf(text)
  const first = statements.findIndex(({ isMark }) => isMark)
  return statements
    .filter((statement, at) => {
      if (statement.isMark || (at === first - 1 && statement.text.trim() === '')) return false
      return !isWithin(statement, server) || isRemark(statement)
    })
    .map((statement) => statement.text)
    .join('\n')
}

/** Whether a statement sets what stands at a path, or within it, as a pair or as a table. */
const isWithin = ({ table, key }: Statement, path: string) =>
  `${[table, key].filter(Boolean).join('.')}.`.startsWith(`${path}.`)
/** A comment, or an empty line. */
const isRemark = ({ text }: Statement) => /^\s*(?:#|$)/.test(text)
const isOurHeader = ({ isHeader, table }: Statement) => isHeader && table === server
/** One with an address instead is the person's. */
const isOurCommand = ({ table, key }: Statement) => table === server && key === 'command'

function statementsOf(text: string): Statement[] {
  let table = ''
  return textsOf(text).texts.map((statement) => {
    const header = /^\s*\[{1,2}([^\]]*)\]/.exec(statement)?.[1]
    if (header !== undefined) table = bare(header)
    return {
      text: statement,
      isHeader: header !== undefined,
      isMark: [mark, ...earlierMarks].includes(statement.trim()),
      table,
      key: header === undefined ? keyOf(statement) : '',
    }
  })
}

/** Strings, comments, brackets, line breaks and what stands between them. */
const token =
  /"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"{3,5}|'''[^']*(?:'(?!'')[^']*)*'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[^"'#[\]{}\n]+|./gs

/** The text of each statement: a line, or the lines of a string or a list. `isOpen`: the last one does not end. */
function textsOf(text: string): { texts: string[]; isOpen: boolean } {
  const texts = ['']
  let depth = 0
  for (const [found] of text.matchAll(token)) {
    if ('[{'.includes(found)) depth++
    else if (']}'.includes(found)) depth--
    if (found === '\n' && depth <= 0) texts.push('')
    else texts[texts.length - 1] += found
  }
  return { texts, isOpen: depth > 0 }
}

const keyOf = (statement: string) => bare(/^([^=#]+)=/.exec(statement)?.[1] ?? '')
const bare = (key: string) => key.replace(/[\s"']/g, '')
