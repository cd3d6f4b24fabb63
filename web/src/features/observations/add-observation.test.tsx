// @vitest-environment jsdom
import { changeSetHeader } from '@loci/contract/changes'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve, WithHeaders } from '../../../test/server-double.ts'
import { hasUnsaved } from '../../lib/unsaved.ts'
import { AddObservation } from './add-observation.tsx'

const added = { id: 'obs_1', content: 'Weaves algebra', createdAt: '2026-01-05T09:00:00.000Z' }
const stored = new WithHeaders({ [changeSetHeader]: 'set_3' }, { observations: [added], rivals: [] })

const field = () => screen.getByLabelText<HTMLTextAreaElement>('New observation')

test('Ctrl+Enter adds the trimmed text once and empties the field', async () => {
  const server = serve({ createObservations: stored })
  const { user } = await show(<AddObservation entityId="ent_1" />)
  await user.type(field(), '  Weaves algebra ')
  expect(hasUnsaved()).toBe(true)
  await user.keyboard('{Control>}{Enter}{Enter}{/Control}')
  expect(await screen.findByText('Observation added')).toBeTruthy()
  expect(server.callsOf('createObservations')).toMatchObject([
    { params: { id: 'ent_1' }, body: { content: 'Weaves algebra' } },
  ])
  expect(field().value).toBe('')
  expect(hasUnsaved()).toBe(false)
})

test('what is typed while an observation is on its way stays for the next', async () => {
  const way = Promise.withResolvers<void>()
  serve({ createObservations: () => way.promise.then(() => stored) })
  const { user } = await show(<AddObservation entityId="ent_1" />)
  await user.type(field(), 'Weaves algebra{Control>}{Enter}{/Control}{Enter}Of brass')
  way.resolve()
  expect(await screen.findByText('Observation added')).toBeTruthy()
  expect(field().value).toBe('Of brass')
})

test('Enter alone begins a new line', async () => {
  const server = serve({})
  const { user } = await show(<AddObservation entityId="ent_1" />)
  await user.type(field(), 'One{Enter}two')
  expect(field().value).toBe('One\ntwo')
  expect(server.calls).toEqual([])
})

test('a text that could not be stored stays in the field, with the reason', async () => {
  const server = serve({
    createObservations: new Refusal('plan_limit_reached', 'Your plan stores up to 100 MB'),
  })
  const { user } = await show(<AddObservation entityId="ent_1" />)
  await user.type(field(), 'Weaves algebra')
  await user.click(screen.getByRole('button', { name: 'Add' }))
  expect(await screen.findByText('Your plan stores up to 100 MB')).toBeTruthy()
  expect(field().value).toBe('Weaves algebra')
  expect(hasUnsaved()).toBe(true)
  server.answer({ createObservations: stored })
  await user.click(screen.getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(field().value).toBe(''))
})

test('without a connection the text stays and the reason is shown', async () => {
  const server = serve({})
  server.isReachable = false
  const { user } = await show(<AddObservation entityId="ent_1" />)
  await user.type(field(), 'Weaves algebra{Control>}{Enter}{/Control}')
  expect(await screen.findByText(/Failed to add observation|cannot be reached/)).toBeTruthy()
  expect(field().value).toBe('Weaves algebra')
})
