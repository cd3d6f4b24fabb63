// @vitest-environment jsdom
import type { ImportPreview, ImportReport } from '@loci/contract/imports'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { catchDownloads } from '../../../test/browser.ts'
import { storedAt } from '../../../test/memory.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { uploadThroughFetch } from '../../../test/uploads.ts'
import { ExportButtons } from './export-buttons.tsx'
import { ImportPanel } from './import-panel.tsx'
import { ImportProblems } from './import-problems.tsx'
import { ImportStatus } from './import-status.tsx'
import { forgetImport } from './import-task.ts'

const none = { created: 0, existing: 0 }
const preview: ImportPreview = {
  format: 'loci',
  bytes: 200,
  isWhole: true,
  entities: { created: 1_200, existing: 3 },
  observations: none,
  relations: none,
  entityTypes: [{ type: 'machine', count: 1_200 }],
  relationTypes: [],
  sample: [{ name: 'Engine', type: 'machine', observations: ['Is of **brass**'], observationsCount: 1 }],
  existing: [],
  skipped: { total: 0, first: [] },
  problems: { total: 0, first: [] },
}
const report: ImportReport = {
  id: 'imp_1',
  format: 'loci',
  state: 'running',
  entities: { created: 600, existing: 0 },
  observations: none,
  relations: none,
  problems: { total: 0, first: [] },
  pass: 'entities',
  bytes: 200,
  bytesDone: 100,
  createdAt: storedAt,
  updatedAt: storedAt,
}

const memoryFile = (name = 'memory.jsonl') => new File(['{"type":"entity"}\n'], name)

async function showPanel() {
  onTestFinished(() => act(forgetImport))
  return show(<ImportPanel />)
}

const chooser = () => screen.getByLabelText<HTMLInputElement>('Choose a file or drop it here')

test('nothing is stored before the preview is confirmed, and the import is followed to its end', async () => {
  uploadThroughFetch()
  const server = serve({
    previewImport: { preview },
    import: { import: report },
    getImport: { import: report },
  })
  const { user } = await showPanel()
  await user.upload(chooser(), memoryFile())
  expect(await screen.findByText('Would be imported')).toBeTruthy()
  expect(screen.getByRole('row', { name: 'Entities 1,200 3' })).toBeTruthy()
  expect(screen.getByText('Is of brass'), 'Markdown is not shown as such').toBeTruthy()
  expect(server.callsOf('import')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Import' }))
  expect(await screen.findByText('Importing...')).toBeTruthy()
  expect(screen.getByText('25%')).toBeTruthy()
  expect(server.callsOf('previewImport')).toMatchObject([{ query: { fileName: 'memory.jsonl' } }])
  const [sent] = server.callsOf('import')
  expect(sent?.headers.get('prefer')).toBe('respond-async')
  expect(sent?.headers.get('content-type')).toBe('application/x-ndjson')
  server.answer({ getImport: { import: { ...report, state: 'finished' } } })
  expect(await screen.findByText('Import finished')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(chooser()).toBeTruthy()
})

test('a rejected preview leads back to the choice of a file', async () => {
  uploadThroughFetch()
  const server = serve({ previewImport: { preview } })
  const { user } = await showPanel()
  await user.upload(chooser(), memoryFile())
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(chooser()).toBeTruthy()
  expect(server.callsOf('import')).toEqual([])
})

test('an upload shows its progress and can be cancelled', async () => {
  const arrive = uploadThroughFetch({ isHeld: true })
  const server = serve({})
  const { user } = await showPanel()
  await user.upload(chooser(), memoryFile())
  expect(await screen.findByText('Uploading memory.jsonl...')).toBeTruthy()
  const bar = screen.getByRole('progressbar', { name: 'Uploading memory.jsonl' })
  expect(bar.getAttribute('aria-valuenow')).toBe('50')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(chooser()).toBeTruthy()
  arrive()
  expect(server.calls).toEqual([])
})

test('a file that cannot be imported is refused before it is sent, even if it is dropped', async () => {
  const server = serve({})
  await showPanel()
  const target = chooser().closest('label')!
  fireEvent.dragOver(target)
  expect(target.dataset.over).toBe('true')
  fireEvent.drop(target, { dataTransfer: { files: [memoryFile('picture.png')] } })
  expect((await screen.findByRole('alert')).textContent).toMatch(/^This kind of file cannot be imported/)
  expect(target.dataset.over).toBe('false')
  fireEvent.drop(target, { dataTransfer: { files: [new File([], 'memory.jsonl')] } })
  expect(screen.getByRole('alert').textContent).toBe('The file is empty')
  expect(server.calls).toEqual([])
})

test('a file that the server cannot read says why, and can be sent again', async () => {
  uploadThroughFetch()
  const server = serve({ previewImport: new Refusal('validation_failed', 'The archive is damaged') })
  const { user } = await showPanel()
  await user.upload(chooser(), memoryFile('memory.zip'))
  expect((await screen.findByRole('alert')).textContent).toContain('The archive is damaged')
  server.answer({ previewImport: { preview } })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Would be imported')).toBeTruthy()
  const types = server.callsOf('previewImport').map(({ headers }) => headers.get('content-type'))
  expect(types).toEqual(['application/octet-stream', 'application/octet-stream'])
})

const status = (file: File | undefined, onFile = vi.fn()) => (
  <ImportStatus id="imp_1" file={file} onFile={onFile} />
)

test("an import that stopped at the plan's limit is resumed with the same file", async () => {
  serve({ getImport: { import: { ...report, state: 'plan_limit_reached' } } })
  const onFile = vi.fn()
  const file = memoryFile()
  const { user } = await show(status(file, onFile))
  expect(await screen.findByText('Stopped at the limit of your plan')).toBeTruthy()
  expect(screen.getByText(/Upgrade or free up space/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Resume with memory.jsonl' }))
  expect(onFile).toHaveBeenCalledExactlyOnceWith(file)
})

test('after a reload an interrupted import asks for its file', async () => {
  serve({ getImport: { import: { ...report, state: 'interrupted' } } })
  const onFile = vi.fn()
  const { user } = await show(status(undefined, onFile))
  expect(await screen.findByText('The import was interrupted')).toBeTruthy()
  await user.upload(screen.getByLabelText('Choose the same file again'), memoryFile())
  expect(onFile).toHaveBeenCalledOnce()
  expect(screen.getByRole('button', { name: 'Dismiss' })).toBeTruthy()
})

test('a lost connection is reported without ending the import', async () => {
  const server = serve({ getImport: { import: report } })
  await show(status(undefined))
  await screen.findByText('25%')
  server.isReachable = false
  expect(await screen.findByText(/The import continues there/)).toBeTruthy()
  expect(screen.getByText('25%')).toBeTruthy()
})

test('problems are listed in the order of the file, and those beyond the list are counted', async () => {
  const first = [
    { line: 9, message: 'No name' },
    { line: 3, message: 'No JSON' },
  ]
  await show(<ImportProblems problems={{ total: 1_002, first }} />)
  expect(screen.getByText('1,002 problems in the file')).toBeTruthy()
  expect(screen.getAllByRole('listitem', { hidden: true }).map((item) => item.textContent)).toEqual([
    'Line 3: No JSON',
    'Line 9: No name',
    'and 1,000 more',
  ])
})

test('an export is saved under the name of its format', async () => {
  const saved = catchDownloads()
  const server = serve({ export: 'a note' })
  const { user } = await show(<ExportButtons />)
  expect(screen.getByText('Includes ids, times and metadata. Can be imported again.')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Format'), 'Markdown vault for Obsidian (ZIP)')
  expect(screen.getByText(/A note for each entity, with links/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Export' }))
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['loci-notes.zip']))
  expect(await saved[0]?.content.text()).toBe('a note')
  expect(server.callsOf('export')).toMatchObject([{ query: { format: 'markdown' } }])
})

test('a failed export says why, and no file is saved', async () => {
  const saved = catchDownloads()
  serve({ export: new Refusal('rate_limited', 'Too many exports') })
  const { user } = await show(<ExportButtons />)
  await user.click(screen.getByRole('button', { name: 'Export' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Too many exports')
  expect(saved).toEqual([])
})
