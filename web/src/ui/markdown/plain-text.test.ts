import { expect, test } from 'vitest'
import { plainHighlights, plainText } from './plain-text.ts'

test.each([
  ['Autovacuum runs **every hour** on `positions`', 'Autovacuum runs every hour on positions'],
  ['***Never*** restart, *ever*; ~~maybe~~ _no_', 'Never restart, ever; maybe no'],
  ['**_both_** and _**both**_ and __two words__', 'both and both and two words'],
  ['**a *b* c** and **Key**s and 这是**重要**的', 'a b c and Keys and 这是重要的'],
  ['See [the **guide**](https://a.b/c_(d) "Guide"), ![a chart](x.png)', 'See the guide, a chart'],
  ['<https://a.b/c_d_e> and <mailto:a@b.c>', 'https://a.b/c_d_e and mailto:a@b.c'],
  ['[`code`](https://a.b) in a **`link`**', 'code in a link'],
  ['## Rules\n* one\n  * two\n- three', 'Rules\n• one\n  • two\n- three'],
  ['Run:\n```sh\n* **x**\n```\nthen stop', 'Run:\n* **x**\nthen stop'],
  ['Cut off: ```\n', 'Cut off: ```\n'],
  ['snake\\_case, \\*starred\\*, ``a ` b``', 'snake_case, *starred*, a ` b'],
])('%j is shown as %j', (text, shown) => expect(plainText(text)).toBe(shown))

test.each([
  'settlement_batch_size, _id and 2 * 3 * 4, 2**3**4, 2*3*4',
  'def f(*args, **kwargs) in __init__.py and __main__',
  '*.ts files in src/*',
  'https://a.b/_c_/*d* and rows[0](x), [1], [ ] open, a < b',
  'SELECT * FROM a WHERE b = "*"',
  '> 90 % of requests; - 5 degrees',
  '#1 of ~3, ~/x and ~/y',
  '`never closed and **neither',
])('%j stays', (text) => expect(plainText(text)).toBe(text))

test('a long text is cut after its signs are removed, and reading any text is quick', () => {
  expect(plainText('**bold** and more', 8)).toBe('bold and')
  const started = process.cpuUsage()
  for (const sign of ['`', '``', '*', '**', '_', '~~', '[', '](', '**a ', '*a ', '_a ', '[a](', '__a b '])
    plainText(sign.repeat(20_000 / sign.length))
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000)
})

test('highlights move with their words, and a match in removed text keeps the text as it was', () => {
  const content = 'Runs **every hour** on [the host](https://a.b)'
  const at = (text: string, word: string) => [text.indexOf(word), text.indexOf(word) + word.length] as const
  const shown = 'Runs every hour on the host'
  expect(plainHighlights({ content, highlights: [at(content, 'hour'), at(content, 'host')] })).toEqual({
    content: shown,
    highlights: [at(shown, 'hour'), at(shown, 'host')],
  })
  const inAddress = { content, highlights: [at(content, 'a.b')] }
  expect(plainHighlights(inAddress)).toEqual(inAddress)
  const atEnd = { content: 'of **all**', highlights: [[3, 10]] as const }
  expect(plainHighlights(atEnd)).toEqual({ content: 'of all', highlights: [[3, 6]] })
})
