import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Environment } from './config-variables.ts'

const root = join(import.meta.dirname, '../../../..')

test('every variable has its row in docs/configuration.md, with its default and its meaning', () => {
  const document = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
  const rows = [...document.matchAll(/^\| `([A-Z_]+)` \|([^|]*)\|([^|]*)\|$/gm)]
  const inDocument = rows.map(
    ([, name, preset, meaning]) => `${name} | ${preset?.trim()} | ${meaning?.trim()}`,
  )
  const inProgram = Object.entries(Environment.shape).map(([name, schema]) => {
    const preset = schema.safeParse(undefined).data
    return `${name} | ${toText(preset)} | ${schema.description}`
  })
  expect(inDocument).toEqual(inProgram)
})

/** The default as it reads on any machine. */
const toText = (preset: unknown) =>
  preset === undefined ? '' : String(preset).replace(homedir(), '~').replace(`${root}/`, '')
