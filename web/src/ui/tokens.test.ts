import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const source = join(import.meta.dirname, '..')
const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const [light = '', dark = ''] = tokens.split(':root[data-mantine-color-scheme="dark"]')
const colorsIn = (css: string) =>
  Object.fromEntries(
    [...css.matchAll(/--loci-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]),
  )
const schemes = { light: colorsIn(light), dark: { ...colorsIn(light), ...colorsIn(dark) } }

const grounds = ['ground', 'surface', 'raised', 'sunken', 'hover', 'raised-hover']
const textMin = 4.5
const controlMin = 3

/** The contrast ratio of two colours by WCAG 2.2 (1.4.3). */
function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describe.each(Object.entries(schemes))('in %s', (_, colors) => {
  const ratio = (a: string, b: string) => contrast(colors[a]!, colors[b]!)

  test('every ink, the accent and the status colours are readable on every background', () => {
    for (const ground of grounds)
      for (const ink of ['ink', 'ink-2', 'ink-3', 'accent', 'ok', 'warn', 'bad'])
        expect(ratio(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(textMin)
  })

  test('accent and status colours are readable on their own soft backgrounds, inks on highlight and buttons', () => {
    for (const color of ['accent', 'ok', 'warn', 'bad'])
      for (const ink of [color, 'ink'])
        expect(ratio(ink, `${color}-soft`), `${ink} on ${color}-soft`).toBeGreaterThanOrEqual(textMin)
    expect(ratio('ink', 'highlight')).toBeGreaterThanOrEqual(textMin)
    expect(ratio('bad-on-ink', 'ink')).toBeGreaterThanOrEqual(textMin)
    for (const button of ['ink', 'ink-hover'])
      expect(ratio('ink-contrast', button)).toBeGreaterThanOrEqual(textMin)
    for (const text of ['code-ink', 'code-ink-2', 'code-word', 'code-string'])
      expect(ratio(text, 'code')).toBeGreaterThanOrEqual(textMin)
  })

  test('the border of an input stands out from its surroundings', () => {
    for (const ground of ['ground', 'surface', 'raised'])
      expect(ratio('control', ground), ground).toBeGreaterThanOrEqual(controlMin)
  })
})

test('every token used in a style exists', () => {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => /\.(css|tsx?)$/.test(name)).map((name) => ({ name, text: read(name) }))
  const defined = new Set(
    files.flatMap(({ text }) => [...text.matchAll(/(--loci-[\w-]+)['"]?\]?:/g)].map(([, token]) => token)),
  )
  for (const { name, text } of files)
    for (const [, token] of text.matchAll(/var\((--loci-[\w-]+)/g))
      expect(defined.has(token), `${token} in ${name}`).toBe(true)
})

const read = (name: string) => readFileSync(join(source, name), 'utf8')
