import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { markPure } from './mark-pure.ts'

const marked = (code: string) => markPure(code, parseSync('code.js', code).program).code

test('a constant that calls or reads something is computed in a pure call', () => {
  expect(marked('export const A = z.object({ ...B.shape }).strict(), b = { ...A }, c = 1')).toBe(
    'export const A = /*#__PURE__*/ (() => (z.object({ ...B.shape }).strict()))(), b = /*#__PURE__*/ (() => ({ ...A }))(), c = 1',
  )
})

test('code that runs for its effect or later is left alone', () => {
  const code = 'register()\nexport function f() { return z.string() }\nconst g = () => z.string()'
  expect(marked(code)).toBe(code)
})
