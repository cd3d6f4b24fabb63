import { parsedCharsMax } from './markup.ts'

/** What stands, while a text is read, for a sign that goes, and for the star of a list; no text may hold them. */
const gone = '\uFFFF'
const bullet = '\uFFFE'

/** What to read in a text: a sign that goes, what stays, a sign that goes. */
type Rule = { pattern: RegExp; isVerbatim?: boolean }

/** Before emphasis that opens, and after one that closes; so `2*3*4`, `*.ts` and `snake_case` stay as they are. */
const opens = `(?<=^|[\\s([{"'“‘—–:,;|/_~*\\-${gone}])`
const closes = `(?=$|[\\s)\\]}"'”’—–:,;.!?|/_~*\\-${gone}])`
const word = `(?=[\\p{L}\\p{N}"'“‘(\`${gone}])`

/** Code and links. What is verbatim is hidden from the rules that follow. */
const spans: Rule[] = [
  { pattern: /^( {0,3}```[^\n`]*(?:\n|$))([\s\S]*?)(\n {0,3}```[ \t]*$|(?![\s\S]))/gm, isVerbatim: true },
  { pattern: /(?<![`\\])(`` ?)([^\n]*?[^`\n])( ?``)(?!`)/g, isVerbatim: true },
  { pattern: /(?<![`\\])(`)([^`]+)(`)(?!`)/g, isVerbatim: true },
  { pattern: /(?<![\w\]\\])(!?\[)([^[\]\n]+)(\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s"[^"\n]*")?\))/g },
  { pattern: /(<)((?:https?:\/\/|mailto:)[^\s<>]+)(>)/g, isVerbatim: true },
  { pattern: new RegExp(`()((?:https?://|www\\.)[^\\s*<>)\\]${gone}]+)()`, 'g'), isVerbatim: true },
  { pattern: /(\\)([*_`~#[\]])()/g, isVerbatim: true },
]

const marks: Rule[] = [
  { pattern: /^( {0,3}#{1,6}[ \t]+)(?=\S)()()/gm },
  { pattern: /(?<![*\w])(\*{3})(?=[^\s*])([^*\n]*[^*\s])(\*{3})(?!\*)/g },
  { pattern: /(?<![*A-Za-z0-9])(\*\*)(?=[^\s*])((?:[^*\n]|\*(?!\*))*[^*\s]\*?)(\*\*)(?![\d*])/g },
  { pattern: /(?<!~)(~~)(?=[^\s~])([^~\n]*[^~\s])(~~)(?!~)/g },
  // A single word in these is a name of Python more often than not.
  { pattern: new RegExp(`${opens}(__)(?=[^\\s_]+\\s)([^_\\n]*[^_\\s])(__)${closes}`, 'gu') },
  { pattern: new RegExp(`${opens}(?<!\\*)(\\*)${word}([^*\\n]*[^*\\s/])(\\*)(?!\\*)${closes}`, 'gu') },
  { pattern: new RegExp(`${opens}(?<!_)(_)${word}([^_\\n]*[^_\\s])(_)(?!_)${closes}`, 'gu') },
]

const listStar = /^([ \t]*)\*(?=[ \t]+\S)/gm
const signs = /[*_`~[\\<]|^ {0,3}#/m
const held = /[\uFFFE\uFFFF]/
const notGone = /[^\uFFFF]/g

/** The text, as long as before, with `gone` in the place of each sign that goes; undefined if none can. */
function read(text: string): string | undefined {
  if (text.length > parsedCharsMax || !signs.test(text) || held.test(text)) return undefined
  return marks.reduce(apply, spans.reduce(apply, text).replace(listStar, `$1${bullet}`))
}

const apply = (text: string, { pattern, isVerbatim }: Rule): string =>
  text.replace(pattern, (_, before: string, kept: string, after: string) => {
    const shown = isVerbatim ? kept.replace(notGone, 'x') : kept
    return gone.repeat(before.length) + shown + gone.repeat(after.length)
  })

/** The text without the signs of Markdown, for where it cannot be rendered; of `max` characters if given. */
export function plainText(text: string, max = text.length): string {
  const start = text.slice(0, max * 2)
  return shownOf(start, read(start)).slice(0, max)
}

type Marked = { content: string; highlights: readonly (readonly [number, number])[] }

/** The text without the signs of Markdown, with its highlights; as it was if a highlight is on what would go. */
export function plainHighlights({ content, highlights }: Marked): Marked {
  const left = read(content)
  if (left === undefined) return { content, highlights }
  const places = placesOf(left)
  const moved = highlights.map(([start, end]) => [places[start] ?? 0, places[end] ?? 0] as const)
  if (moved.some(([start, end]) => end <= start)) return { content, highlights }
  return { content: shownOf(content, left), highlights: moved }
}

function shownOf(text: string, left: string | undefined): string {
  if (left === undefined) return text
  return Array.from({ length: text.length }, (_, at) =>
    left[at] === gone ? '' : left[at] === bullet ? '•' : text[at],
  ).join('')
}

/** Where each character is once the signs are gone, and where the text ends. */
function placesOf(left: string): Uint32Array {
  const places = new Uint32Array(left.length + 1)
  for (let at = 0; at < left.length; at += 1) places[at + 1] = places[at]! + (left[at] === gone ? 0 : 1)
  return places
}
