// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { serve } from '../../../test/server-double.ts'
import { HistoryFilters } from './history-filters.tsx'

test('an agent is chosen instead of a person', async () => {
  serve({})
  const onChange = vi.fn()
  const { user } = await show(
    <HistoryFilters
      filter={{ kind: 'merges', actorId: 'usr_1' }}
      agents={['cursor']}
      names={{ actor: 'Ada' }}
      onChange={onChange}
    />,
  )
  expect(screen.getByText('By Ada')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Written by'), 'cursor')
  expect(onChange).toHaveBeenLastCalledWith({ kind: 'merges', client: 'cursor', actorId: undefined })
})

test('an agent that no longer calls stays chosen until everyone is', async () => {
  serve({})
  const onChange = vi.fn()
  const { user } = await show(
    <HistoryFilters filter={{ client: 'codex' }} agents={['cursor']} names={{}} onChange={onChange} />,
  )
  const writers = screen.getByLabelText<HTMLSelectElement>('Written by')
  expect(writers.value).toBe('codex')
  await user.selectOptions(writers, 'Everyone')
  expect(onChange).toHaveBeenLastCalledWith({ client: undefined, actorId: undefined })
})
