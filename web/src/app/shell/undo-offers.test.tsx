// @vitest-environment jsdom
import type { Change } from '@loci/contract/changes'
import { TextInput } from '@mantine/core'
import { cleanNotifications, notificationsStore } from '@mantine/notifications'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { serve } from '../../../test/server-double.ts'
import { clearOffers } from '../../lib/undo-offers.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { useShortcuts } from './use-shortcuts.ts'

beforeEach(() => {
  cleanNotifications()
  clearOffers()
})

const change = (setId: string, operation: Change['operation'], subject: Change['subject']): Change => ({
  seq: 1,
  setId,
  at: '2026-11-22T10:00:00.000Z',
  actor: { kind: 'session', id: 'usr_1', name: 'Ada' },
  operation,
  subject,
  before: null,
  after: null,
})
const observation = { kind: 'observation', id: 'obs_1', entityId: 'ent_1' } as const
const log: Record<string, Change> = {
  set_1: change('set_1', 'observation_updated', observation),
  set_2: change('set_2', 'observation_updated', { ...observation, id: 'obs_2' }),
  set_3: change('set_3', 'observation_deleted', observation),
  set_4: change('set_4', 'entity_deleted', { kind: 'entity', id: 'ent_1', name: 'Engine' }),
}

function Changes() {
  const notifyUndoable = useNotifyUndoable()
  useShortcuts({ onHelp: () => {} })
  return (
    <>
      {Object.entries(log).map(([setId, { operation }]) => (
        <button key={setId} type="button" onClick={() => notifyUndoable(`${operation} ${setId}`, setId)}>
          {setId}
        </button>
      ))}
      <TextInput aria-label="Note" />
    </>
  )
}

async function showChanges() {
  const server = serve({
    listChanges: ({ query }) => ({ changes: [log[String(query.setId)]!], nextCursor: null }),
    undoChangeSet: { setId: 'set_9', undone: 1 },
  })
  const { user } = await show(<Changes />)
  const make = (setId: string) => user.click(screen.getByRole('button', { name: setId }))
  const undone = () => server.callsOf('undoChangeSet').map(({ params }) => params.setId)
  return { user, make, undone }
}
const toasts = () => notificationsStore.getState().notifications.length

test('a later change of the same thing withdraws the older offer, one of another thing does not', async () => {
  const { make } = await showChanges()
  for (const setId of ['set_1', 'set_2', 'set_3']) await make(setId)
  await waitFor(() => expect(screen.queryByText(/set_1$/, { selector: 'span' })).toBeNull())
  expect(toasts()).toBe(2)
  await make('set_4')
  await waitFor(() => expect(toasts(), 'the observations went with their entity').toBe(1))
})

test('Ctrl+Z undoes the last change, then the one before', async () => {
  const { user, make, undone } = await showChanges()
  await make('set_1')
  await make('set_3')
  await user.keyboard('{Control>}z{/Control}')
  await waitFor(() => expect(undone()).toEqual(['set_3']))
  await user.keyboard('{Meta>}z{/Meta}')
  await waitFor(() => expect(undone()).toEqual(['set_3', 'set_1']))
  await user.keyboard('{Control>}z{/Control}{Control>}{Shift>}z{/Shift}{/Control}')
  expect(undone()).toHaveLength(2)
})

test('in a field, Ctrl+Z undoes typing only', async () => {
  const { user, make, undone } = await showChanges()
  await make('set_1')
  await user.click(screen.getByLabelText('Note'))
  await user.keyboard('{Control>}z{/Control}')
  expect(undone()).toEqual([])
})

test('changes of another memory are not offered', async () => {
  const { user, make, undone } = await showChanges()
  await make('set_1')
  clearOffers()
  expect(toasts()).toBe(0)
  await user.keyboard('{Control>}z{/Control}')
  expect(undone()).toEqual([])
})
