import { expect, test } from 'vitest'
import { toCsvLine } from './csv.ts'

test.each([
  [['plain', ''], 'plain,'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"'],
  [['=1+1', '+1', '-1', '@x', '\tx'], `'=1+1,'+1,'-1,'@x,'\tx`],
  [[' =cmd', '＝1', 'a=b'], `' =cmd,'＝1,a=b`],
  [['=HYPERLINK("http://x","y")'], `"'=HYPERLINK(""http://x"",""y"")"`],
])('%j is one line of CSV that no spreadsheet computes', (cells, line) => {
  expect(toCsvLine(cells)).toBe(`${line}\r\n`)
})
