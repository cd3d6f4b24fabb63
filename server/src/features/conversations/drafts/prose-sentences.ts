const fenced = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1|$(?![\s\S]))/gm
/** Headings, tables, quotations, and lines of code or logs. */
const notProse =
  /^\s*(?:#{1,6} |\||>|\$ |at \S+ \(|[-=*_]{3,}\s*$|import |const |let |def |class |\[?\d{4}-\d\d-\d\d[T ]\d\d:|\w*(?:Error|Exception|Warning):)/u
const leading = /^[\s\-*•"'“„«]+|^\d{1,2}[.)] /u
const abbreviated = String.raw`\b(?:Dr|Prof|Mr|Mrs|Ms|St|Nr|No|M|Sr|Sra|bzw|z\.B|z\. B|ca|e\.g|i\.e|etc|vs|approx|p\.ej)\.`
const sentenceEnd = new RegExp(String.raw`(?<=[.!?])(?<!${abbreviated})["'”’)]*\s+|(?<=[。！？])`, 'iu')
/** Not a power (2**10). */
const bold = /(?<![\p{L}\p{N}*`])\*\*(?=\S)([^*\n]+)\*\*(?![\p{L}\p{N}*`])/gu

/** A longer text is a document that somebody pasted. */
const charactersMax = 20_000

/** What was said in a turn, sentence by sentence, without code, quotations, tables and headings. */
export function proseSentences(text: string): string[] {
  if (text.length > charactersMax) return []
  return text
    .replace(fenced, '\n')
    .split('\n')
    .filter((line) => !notProse.test(line))
    .flatMap((line) => line.replace(bold, '$1').replace(leading, '').split(sentenceEnd))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}
