// @vitest-environment jsdom
import type { Share } from '@loci/contract/shares'
import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { storedAt } from '../../../test/memory.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { ShareDialog } from './share-dialog.tsx'
import { SharesPanel } from './shares-panel.tsx'

const share = (id: string, more: Partial<Share> = {}): Share => ({
  id,
  kind: 'region',
  title: `View ${id}`,
  entities: 17,
  createdAt: storedAt,
  expiresAt: null,
  createdBy: { name: 'Ada Lovelace' },
  ...more,
})
const subject = { view: { kind: 'entity' as const, entityId: 'ent_1' }, name: 'Planner' }
const url = 'http://loci.test/shared/secret'

test('a page is made with its title, note and end, and its link is shown', async () => {
  const sent = vi.fn()
  serve({
    createShare: ({ body }) => {
      sent(body)
      return { share: share('a'), url }
    },
    listShares: () => ({ shares: [] }),
  })
  const { user } = await show(<ShareDialog subject={subject} onClose={() => {}} />)
  await user.type(screen.getByLabelText('Title'), ' For Helios ')
  await user.selectOptions(screen.getByLabelText('Ends'), 'In a week')
  await user.click(screen.getByRole('button', { name: 'Share' }))
  expect(((await screen.findByLabelText('Link')) as HTMLInputElement).value).toBe(url)
  const [{ view, expiresAt }] = sent.mock.lastCall as [{ view: object; expiresAt: string }]
  expect(view).toEqual({ kind: 'entity', entityId: 'ent_1', title: 'For Helios' })
  const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(6.9)
  expect(days).toBeLessThanOrEqual(7)
})

test('what was typed stays if sharing is refused', async () => {
  serve({
    createShare: new Refusal('share_limit_reached', 'A space has 100 shared pages at most. End one first.'),
  })
  const { user } = await show(<ShareDialog subject={subject} onClose={() => {}} />)
  await user.type(screen.getByLabelText('Note'), 'For Wednesday')
  await user.click(screen.getByRole('button', { name: 'Share' }))
  expect((await screen.findByRole('alert')).textContent).toContain('End one first.')
  expect((screen.getByLabelText('Note') as HTMLInputElement).value).toBe('For Wednesday')
})

test('shared pages are listed with their end, and ended', async () => {
  let shares = [share('a'), share('b', { kind: 'path', expiresAt: '2020-01-02T00:00:00.000Z' })]
  serve({
    listShares: () => ({ shares }),
    deleteShare: ({ params }) => {
      shares = shares.filter(({ id }) => id !== params.id)
    },
  })
  const { user } = await show(<SharesPanel />)
  const [first, second] = await screen.findAllByRole('listitem')
  expect(first!.textContent).toContain('Region, 17 entities')
  expect(first!.textContent).toContain('no end')
  expect(second!.textContent).toContain('ended')
  await user.click(within(second!).getByRole('button', { name: 'Remove View b' }))
  await expect.poll(() => screen.getAllByRole('listitem').length).toBe(1)
  await user.click(screen.getByRole('button', { name: 'End View a' }))
  expect(await screen.findByText(/Nothing is shared/)).toBeTruthy()
})

test('a list that cannot be loaded says so', async () => {
  serve({ listShares: new Refusal('internal', 'Broken') })
  await show(<SharesPanel />)
  expect(await screen.findByRole('button', { name: /Try again|Retry/ })).toBeTruthy()
})
