import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { markPure } from './mark-pure.ts'

const marked = (code: string) => markPure(code, parseSync('code.js', code).program).code

test("each constant's call is marked, also inside another call's arguments", () => {
  expect(marked('export const A = z.object({ id: z.string() }).strict(), b = new Set([1])')).toBe(
    'export const A = /*#__PURE__*/ z.object({ id: /*#__PURE__*/ z.string() }).strict(), b = /*#__PURE__*/ new Set([1])',
  )
})

test('code that runs for its effect or later is left alone', () => {
  const code = 'register()\nexport function f() { return z.string() }\nconst g = () => z.string()'
  expect(marked(code)).toBe(code)
})
