// @vitest-environment jsdom
import type { EmbeddingsChoice, EmbeddingsStatus } from '@loci/contract/embeddings'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { button, dialogNamed, field } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { EmbeddingsPanel } from './embeddings-panel.tsx'

const off: EmbeddingsStatus = {
  state: 'off',
  model: null,
  dimensions: null,
  embedded: 0,
  waiting: 0,
  failure: null,
}
const builtIn: EmbeddingsStatus = { ...off, state: 'built_in' }
const ready: EmbeddingsStatus = {
  ...off,
  state: 'ready',
  model: 'bge-small-en-v1.5',
  dimensions: 384,
  embedded: 1_234,
}
const nothing: EmbeddingsChoice = { isOffered: true, isFixed: false, chosen: null, installation: null }
const local: EmbeddingsChoice = {
  ...nothing,
  chosen: { provider: 'local', model: 'bge-small-en-v1.5', url: null, hasKey: false },
}
const remote: EmbeddingsChoice = {
  ...nothing,
  chosen: { provider: 'openai', model: 'text-embedding-3-small', url: 'https://ai.example/v1', hasKey: true },
}
const installing = (more: Partial<NonNullable<EmbeddingsChoice['installation']>> = {}): EmbeddingsChoice => ({
  ...nothing,
  installation: {
    model: 'bge-small-en-v1.5',
    step: 'model',
    bytesDone: 12_000_000,
    bytes: 35_000_000,
    failure: null,
    ...more,
  },
})

test.each(['admin', 'member', 'viewer'] as const)(
  'a %s sees how far it has come and is offered no choice',
  async (role) => {
    const server = serve({ embeddingsStatus: { ...ready, state: 'catching_up', waiting: 766 } })
    await show(<EmbeddingsPanel />, { as: personAs(role) })
    expect(await screen.findByText('Catching up')).toBeTruthy()
    expect(screen.getByText('1,234 of 2,000 texts')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
    expect(server.callsOf('getEmbeddingsChoice')).toEqual([])
  },
)

test('on a shared server, the command is named in place of a form', async () => {
  serve({ embeddingsStatus: off, getEmbeddingsChoice: { ...nothing, isOffered: false } })
  await show(<EmbeddingsPanel />)
  expect(await screen.findByText('loci embeddings use local')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Use This' })).toBeNull()
})

test.each([
  [builtIn, /^On for English and nine other languages, without a model/],
  [off, /^Off\. Search matches words\./],
])('without a model, it says what search does', async (status, text) => {
  const server = serve({ embeddingsStatus: status, getEmbeddingsChoice: nothing })
  await show(<EmbeddingsPanel />)
  expect(await screen.findByText(text)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Use This' })).toBeTruthy()
  expect(screen.queryByText(/texts$/)).toBeNull()
  expect(server.callsOf('embeddingsStatus')).toHaveLength(1)
})

test('a choice by environment variables is shown and cannot be changed', async () => {
  serve({ embeddingsStatus: ready, getEmbeddingsChoice: { ...local, isFixed: true } })
  await show(<EmbeddingsPanel />)
  expect(await screen.findByText(/set by environment variables of the server/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Change' })).toBeNull()
})

test('an owner turns it on with a local model, and sees the download', async () => {
  const server = serve({
    embeddingsStatus: off,
    getEmbeddingsChoice: nothing,
    chooseEmbeddings: installing(),
    stopEmbeddingsInstallation: nothing,
  })
  const { user } = await show(<EmbeddingsPanel />)
  await user.click(await screen.findByRole('radio', { name: '100 languages' }))
  server.answer({ getEmbeddingsChoice: installing() })
  await user.click(button('Use This'))
  expect(await screen.findByText('12 of 35 MB')).toBeTruthy()
  expect(server.callsOf('chooseEmbeddings').map(({ body }) => body)).toEqual([
    { provider: 'local', model: 'multilingual-e5-small' },
  ])
  server.answer({ getEmbeddingsChoice: nothing })
  await user.click(button('Cancel'))
  expect(await screen.findByRole('button', { name: 'Use This' })).toBeTruthy()
})

test('a failed installation says why, and can be retried or abandoned', async () => {
  const failed = installing({ failure: 'The disk is full' })
  const server = serve({
    embeddingsStatus: off,
    getEmbeddingsChoice: failed,
    chooseEmbeddings: failed,
    stopEmbeddingsInstallation: nothing,
  })
  const { user } = await show(<EmbeddingsPanel />)
  expect(await screen.findByText('The disk is full')).toBeTruthy()
  await user.click(button('Try again'))
  await waitFor(() => expect(server.callsOf('chooseEmbeddings')).toHaveLength(1))
  expect(server.callsOf('chooseEmbeddings')[0]?.body).toEqual({
    provider: 'local',
    model: 'bge-small-en-v1.5',
  })
  server.answer({ getEmbeddingsChoice: nothing })
  await user.click(button('Choose something else'))
  expect(await screen.findByRole('button', { name: 'Use This' })).toBeTruthy()
})

test('each provider keeps what was typed for it, and a problem is shown at its field', async () => {
  const server = serve({
    embeddingsStatus: off,
    getEmbeddingsChoice: nothing,
    chooseEmbeddings: new Refusal('validation_failed', 'Invalid input', [
      { path: 'model', message: 'This server has no such model' },
    ]),
  })
  const { user } = await show(<EmbeddingsPanel />)
  await user.click(await screen.findByRole('radio', { name: 'Ollama' }))
  expect(field('Address').value).toBe('http://127.0.0.1:11434')
  await user.clear(field('Model'))
  await user.type(field('Model'), 'tiny')
  await user.click(screen.getByRole('radio', { name: 'OpenAI API' }))
  expect(field('Model').value).toBe('text-embedding-3-small')
  await user.click(screen.getByRole('radio', { name: 'Ollama' }))
  expect(field('Model').value).toBe('tiny')
  await user.click(button('Use This'))
  expect(await screen.findByText('This server has no such model')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  server.answer({ chooseEmbeddings: new Refusal('embedder_unavailable', 'Nothing answers there') })
  await user.click(button('Use This'))
  expect((await screen.findByRole('alert')).textContent).toBe('Nothing answers there')
  await user.type(field('Model'), 'r')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a stored key is never shown again, and is kept unless a new one is typed', async () => {
  const server = serve({
    embeddingsStatus: { ...ready, model: 'text-embedding-3-small' },
    getEmbeddingsChoice: remote,
    chooseEmbeddings: remote,
  })
  const { user } = await show(<EmbeddingsPanel />)
  expect(await screen.findByText(/at https:\/\/ai.example\/v1/)).toBeTruthy()
  await user.click(button('Change'))
  expect(field('API Key').value).toBe('')
  expect(field('API Key').placeholder).toBe('Unchanged')
  await user.click(button('Use This'))
  await waitFor(() => expect(screen.queryByLabelText('API Key')).toBeNull())
  await user.click(button('Change'))
  await user.type(field('API Key'), ' sk-new ')
  await user.click(button('Use This'))
  await waitFor(() => expect(server.callsOf('chooseEmbeddings')).toHaveLength(2))
  const unchanged = { provider: 'openai', url: 'https://ai.example/v1', model: 'text-embedding-3-small' }
  expect(server.callsOf('chooseEmbeddings').map(({ body }) => body)).toEqual([
    unchanged,
    { ...unchanged, key: 'sk-new' },
  ])
})

test('it is turned off after a question that says what is deleted', async () => {
  const server = serve({
    embeddingsStatus: ready,
    getEmbeddingsChoice: local,
    turnOffEmbeddings: new Refusal('embeddings_conflict', 'A model is being installed'),
  })
  const { user } = await show(<EmbeddingsPanel />)
  await user.click(await screen.findByRole('button', { name: 'Turn Off' }))
  const question = await dialogNamed('Turn Off Search by Meaning')
  expect(question.getByText(/All vectors and the files of the model are deleted/)).toBeTruthy()
  expect(server.callsOf('turnOffEmbeddings')).toEqual([])
  await user.click(question.getByRole('button', { name: 'Turn Off' }))
  expect(await screen.findByText('A model is being installed')).toBeTruthy()
  server.answer({ turnOffEmbeddings: nothing, embeddingsStatus: off })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(button('Turn Off'))
  await user.click(
    (await dialogNamed('Turn Off Search by Meaning')).getByRole('button', { name: 'Turn Off' }),
  )
  expect(await screen.findByText('Search by meaning is off')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Use This' })).toBeTruthy()
})

test('an embeddings server that does not answer says so, and since when', async () => {
  serve({
    embeddingsStatus: {
      ...ready,
      state: 'unreachable',
      failure: {
        message: 'Connection refused',
        at: new Date(Date.now() - 3 * 60_000).toISOString(),
      },
    },
    getEmbeddingsChoice: remote,
  })
  await show(<EmbeddingsPanel />)
  expect(await screen.findByText('Unreachable')).toBeTruthy()
  expect(screen.getByText(/Connection refused/).textContent).toContain(
    'Connection refused (3 min ago). Until it answers, search matches words only.',
  )
})

test('a failure to load the state can be retried', async () => {
  const server = serve({
    embeddingsStatus: new Refusal('forbidden', 'No'),
    getEmbeddingsChoice: nothing,
  })
  const { user } = await show(<EmbeddingsPanel />)
  expect(await screen.findByText('Failed to load the state of search by meaning')).toBeTruthy()
  server.answer({ embeddingsStatus: ready })
  await user.click(button('Try again'))
  expect(await screen.findByText('Ready')).toBeTruthy()
})
