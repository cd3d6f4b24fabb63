import { expect, test } from 'vitest'
import {
  addToJsonList,
  addToJsonText,
  findInJsonText,
  removeFromJsonList,
  removeFromJsonText,
} from './json-text.ts'

const path = ['mcpServers', 'loci']
const value = { command: 'node', args: ['/a b/loci.js', 'mcp'] }

test.each([
  ['{\n  "a": 1\n}\n'],
  ['{\n  "mcpServers": {\n    "other": { "url": "http://x" }\n  },\n  "b": [1, 2]\n}\n'],
  ['{\n\t"a": {\n\t\t"b": true\n\t}\n}'],
  ['{"a":1,"mcpServers":{"x":{}}}'],
  ['{ "a": 1 }'],
  [
    '// mine\n{\n  // the "servers": {\n  "mcpServers": {\n    /* one */\n    "other": {}, // kept\n  },\n}\n',
  ],
  ['{\r\n  "a": "\\"}{",\r\n  "b": null\r\n}\r\n'],
  ['\ufeff{\n  "a" /* b */ : 1// c\n} // d'],
  ['{\n  "mcpServers": {\n    // "jira": {}\n  }\n}\n'],
  ['{\n  "mcpServers": { /* none, yet */ }\n}\n'],
  ['{\n  // "mcpServers": {}\n}\n'],
  ['{ /* a\n */ "mcpServers": { /* , */ "b": 1 /* , */ , } }'],
])('adds to %j what can be removed again without a trace', (text) => {
  const added = addToJsonText(text, path, value)!
  expect(JSON.parse(findInJsonText(added, path)!)).toEqual(value)
  expect(removeFromJsonText(added, path)).toBe(text)
})

test.each([[''], ['{}'], ['{}\n'], ['{ "mcpServers": {} }'], ['{ }']])('adds to %j', (text) => {
  const added = addToJsonText(text, path, value)!
  expect(JSON.parse(added)).toEqual({ mcpServers: { loci: value } })
  expect(JSON.parse(removeFromJsonText(added, path))).toEqual({})
})

test('removes it wherever it stands meanwhile', () => {
  expect(removeFromJsonText('{"mcpServers":{"a":1,"loci":{"x":[1,{}]},"b":2}}', path)).toBe(
    '{"mcpServers":{"a":1,"b":2}}',
  )
  expect(removeFromJsonText('{"mcpServers":{"a":1,"loci":2}}', path)).toBe('{"mcpServers":{"a":1}}')
  expect(removeFromJsonText('{"mcpServers":{"a":1}}', path)).toBe('{"mcpServers":{"a":1}}')
})

test.each([
  ['{\n  "a": 1, // b\n  "loci": {}\n}', '{\n  "a": 1 // b\n}'],
  ['{\n  "a": 1,\n  "loci": {} // b\n}', '{\n  "a": 1\n // b\n}'],
  ['{\n  // a\n  "loci": {}, "b": 1\n}', '{\n  // a\n  "b": 1\n}'],
  ['{ "a": 1, "loci": {}, "b": 2 }', '{ "a": 1, "b": 2 }'],
  ['{"loci": {} /* a, b */, "c": 1}', '{ /* a, b */ "c": 1}'],
  ['{\n  // a\n  "loci": {}\n}', '{\n  // a\n}'],
  ['{"loci": 1, "a": 2, "loci": {}}', '{"loci": 1, "a": 2}'],
])('keeps all else when it removes from %j', (text, left) => {
  expect(removeFromJsonText(text, ['loci'])).toBe(left)
})

test('changes the last of two members of one name, which programs take', () => {
  const text = '{"mcpServers":{"a":1},"mcpServers":{"b":2}}'
  expect(JSON.parse(addToJsonText(text, path, value)!).mcpServers).toEqual({ loci: value, b: 2 })
})

test.each([
  '[]',
  '{',
  '{"a" 1}',
  '{"a": 1} x',
  'null',
  '{"mcpServers": 3}',
  '{"mcpServers": []}',
  '{"a": [}',
  '"x"',
])('leaves %j alone', (text) => {
  expect(addToJsonText(text, path, value)).toBeUndefined()
  expect(removeFromJsonText(text, path)).toBe(text)
})

test('ends on hostile text', () => {
  for (const text of [
    `{"a":"${'x'.repeat(30_000_000)}"`,
    '['.repeat(100_000),
    '{"a":'.repeat(100_000),
    '/*'.repeat(100_000),
    '{/'.repeat(1000),
  ])
    expect(addToJsonText(text, path, value)).toBeUndefined()
})

const list = ['hooks', 'SessionStart']
const hook = { hooks: [{ command: 'mine' }] }
const isMine = (element: string) => element.includes('mine')

test.each([
  ['{\n  "a": 1\n}\n'],
  ['{ "hooks": { "Stop": [1] } }'],
  ['{\n  "hooks": {\n    "SessionStart": [\n      { "b": [] } // kept\n    ]\n  }\n}\n'],
  ['{"hooks":{"SessionStart":[{"a":1},{"b":2},]}}'],
  ['{"hooks":{"SessionStart":[ /* mine, off */ ]}}'],
  ['{\n  "hooks": {\n    "SessionStart": [\n      // off\n    ]\n  }\n}\n'],
])('adds to a list of %j what can be removed again without a trace', (text) => {
  const added = addToJsonList(text, list, hook)!
  expect(findInJsonText(added, list)).toContain('"mine"')
  expect(removeFromJsonList(added, list, isMine)).toBe(text)
  expect(removeFromJsonList(text, list, isMine)).toBe(text)
})

test('adds to an empty list, and to nothing that is none', () => {
  expect(JSON.parse(addToJsonList('{"hooks":{"SessionStart":[],"x":1}}', list, hook)!)).toEqual({
    hooks: { SessionStart: [hook], x: 1 },
  })
  expect(addToJsonList('{"hooks":{"SessionStart":{"a":1}}}', list, hook)).toBeUndefined()
  expect(addToJsonList('{"hooks":', list, hook)).toBeUndefined()
})
