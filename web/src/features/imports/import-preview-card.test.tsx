import type { ImportPreview } from '@loci/contract/imports'
import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { ImportPreviewCard } from './import-preview-card.tsx'

vi.mock('../../lib/api.ts', () => ({ api: {} }))
vi.mock('./import-task.ts', () => ({ forgetImport: vi.fn(), sendImport: vi.fn() }))

const none = { created: 0, existing: 0 }
const preview: ImportPreview = {
  format: 'chatgpt',
  bytes: 2_048,
  isWhole: true,
  entities: none,
  observations: none,
  relations: none,
  entityTypes: [],
  relationTypes: [],
  sample: [],
  existing: [],
  skipped: { total: 0, first: [] },
  problems: { total: 0, first: [] },
}

const markup = (changes: Partial<ImportPreview>) =>
  renderToStaticMarkup(
    <MantineProvider>
      <ImportPreviewCard file={new File(['{}'], 'export.json')} preview={{ ...preview, ...changes }} />
    </MantineProvider>,
  )
const textOf = (changes: Partial<ImportPreview>) =>
  markup(changes)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

test('a file with nothing new says so and cannot be imported', () => {
  expect(textOf({})).toContain('Everything in this file is already stored.')
  expect(markup({})).toMatch(/<button[^>]*disabled[^>]*>(?:<span[^>]*>)*Import</)
  const relations = { created: 1, existing: 0 }
  expect(textOf({ relations })).not.toContain('Everything in this file is already stored.')
  expect(markup({ relations })).not.toMatch(/<button[^>]*disabled/)
})

test('existing entities beyond the named ones are counted', () => {
  const existing = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => ({ id: name, name, type: 'note' }))
  const text = textOf({ existing, entities: { created: 0, existing: 41 } })
  expect(text).toContain('Already stored: A, B, C, D, E and 36 more')
})

test('everything left out is reported: files, problems and the rest of a very large file', () => {
  const skipped = { total: 3, first: ['user.json'] }
  const problems = { total: 1, first: [{ file: 'a.json', item: 7, message: 'Left out' }] }
  const text = textOf({ skipped, problems, isWhole: false })
  expect(text).toContain('3 files are not read')
  expect(text).toContain('user.json and 2 more')
  expect(text).toContain('1 problem in the file')
  expect(text).toContain('a.json, entry 7: Left out')
  expect(text).toContain('covers only its beginning')
})
