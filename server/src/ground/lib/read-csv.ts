/* Comma-separated values per RFC 4180. Line breaks can be CRLF or LF. */

/** Yields the rows of a text one by one. Text after a closing quote is kept, as spreadsheets do. */
export async function* readCsv(
  pieces: AsyncIterable<string>,
  rowLengthMax: number,
): AsyncGenerator<string[], void> {
  let row: string[] = []
  let field = ''
  let isQuoted = false
  let lastWasQuote = false
  let length = 0
  for await (const piece of pieces) {
    for (const char of piece) {
      length += char.length
      if (length > rowLengthMax) throw new Error('has a row that is too long')
      if (isQuoted) {
        if (char === '"') isQuoted = false
        else field += char
        lastWasQuote = char === '"'
      } else if (char === '"') {
        // Two quotes within a quoted field stand for one.
        if (lastWasQuote) field += char
        isQuoted = true
        lastWasQuote = false
      } else if (char === ',' || char === '\n') {
        row.push(char === '\n' && field.endsWith('\r') ? field.slice(0, -1) : field)
        field = ''
        lastWasQuote = false
        if (char === ',') continue
        if (row.length > 1 || row[0] !== '') yield row
        row = []
        length = 0
      } else {
        field += char
        lastWasQuote = false
      }
    }
  }
  if (isQuoted) throw new Error('ends within a quoted field')
  if (field !== '' || row.length > 0) yield [...row, field]
}
