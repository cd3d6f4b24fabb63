/*
 * Our table in the configuration of Codex. Codex and people write into the same file, behind our table too, so nothing is
 * ours but the table itself and the line before it (https://toml.io/en/v1.0.0).
 */

const server = 'mcp_servers.loci'
const mark = '# Written by "loci connect", removed by "loci connect --remove".'
/** Around the table, and whatever Codex wrote behind it, in what earlier versions wrote. */
const earlierMarks = [
  '# loci: begin (written by "loci connect", removed by "loci connect --remove")',
  '# loci: end',
]

type Line = { text: string; isHeader: boolean; isMark: boolean; table: string; key: string }

/** `ours`; `theirs`: one that the person wrote; `closed`: an inline table of all servers, to which none can be added. */
type Place = 'none' | 'ours' | 'theirs' | 'closed'

export function placeInToml(text: string): Place {
  const lines = linesOf(text)
  if (lines.some(({ isMark }) => isMark) && lines.some(isOurHeader)) return 'ours'
  if (lines.some((line) => isWithin([line.table, line.key].filter(Boolean).join('.')))) return 'theirs'
  return lines.some(({ table, key }) => table === '' && key === 'mcp_servers') ? 'closed' : 'none'
}

/** The text with these pairs in our table; what else was written into it stays. */
export function setInToml(text: string, pairs: readonly string[]): string {
  if (placeInToml(text) !== 'ours') {
    const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
    return `${text}${gap}${[mark, `[${server}]`, ...pairs].join('\n')}\n`
  }
  const names = pairs.map((pair) => keyOf(pair))
  const lines = linesOf(text)
  const earlier = lines.filter(({ table, key }) => table === server && names.includes(key))
  // A value of several lines is the person's.
  if (earlier.some((line) => !/=\s*(?:".*"|\[.*\]|\{.*\})\s*$/.test(line.text))) return text
  return lines
    .filter((line) => !earlier.includes(line))
    .flatMap((line) => (isOurHeader(line) ? [line.text, ...pairs] : line.text))
    .join('\n')
}

/** The text without our table and the tables in it, such as those in which Codex keeps what a tool may do. */
export function removeFromToml(text: string): string {
  if (placeInToml(text) !== 'ours') return text
  const lines = linesOf(text)
  const first = lines.findIndex(({ isMark }) => isMark)
  return lines
    .filter(({ text: line, isMark, table }, at) => {
      if (isMark || (at === first - 1 && line.trim() === '' && first < lines.length)) return false
      return !isWithin(table) || /^\s*(?:#|$)/.test(line)
    })
    .map((line) => line.text)
    .join('\n')
}

const isWithin = (path: string) => path === server || path.startsWith(`${server}.`)
const isOurHeader = ({ isHeader, table }: Line) => isHeader && table === server

function linesOf(text: string): Line[] {
  let table = ''
  return text.split('\n').map((line) => {
    const header = /^\s*\[+([^\]]*)\]/.exec(line)?.[1]
    if (header !== undefined) table = bare(header)
    const isMark = [mark, ...earlierMarks].includes(line.trim())
    return {
      text: line,
      isHeader: header !== undefined,
      isMark,
      table,
      key: header === undefined ? keyOf(line) : '',
    }
  })
}

const keyOf = (line: string) => bare(/^([^=#]+)=/.exec(line)?.[1] ?? '')
const bare = (key: string) => key.replace(/[\s"']/g, '')
