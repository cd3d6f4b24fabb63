// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { usePanels } from './use-panels.ts'
import { lightsOf } from './use-recall-walk.ts'

function Panels({ entityCount }: { entityCount: number }) {
  const { open } = usePanels(entityCount)
  return (
    <>
      <output>
        {Object.keys(open)
          .filter((name) => open[name as keyof typeof open])
          .join(' ')}
      </output>
      <input aria-label="Name" />
    </>
  )
}
const openNow = () => screen.getByRole('status').textContent

test('panels are open beside a small graph, and F folds and unfolds all of them', async () => {
  const { user } = await show(<Panels entityCount={1_000} />)
  expect(openNow()).toBe('filters details time')
  await user.keyboard('f')
  expect(openNow()).toBe('')
  await user.keyboard('f')
  expect(openNow()).toBe('filters details time')
})

test('panels are folded over a large graph; F typed into a field is a letter', async () => {
  const { user } = await show(<Panels entityCount={1_001} />)
  expect(openNow()).toBe('')
  await user.type(screen.getByLabelText('Name'), 'fig')
  expect(openNow()).toBe('')
  await user.click(document.body)
  await user.keyboard('f')
  expect(openNow()).toBe('filters details time')
})

test('a recall lights what was told, and its regions more faintly', () => {
  const members: Record<string, string[]> = { r1: ['a', 'b'], r2: ['c'], rest: ['d', 'e'] }
  const drawing = {
    regions: () =>
      Object.keys(members).map((id) => ({ id, name: id, named: false, loose: id === 'rest', size: 1 })),
    regionNodes: (id: string) => members[id]!,
  }
  expect(lightsOf(drawing, ['a', 'd'])).toEqual(new Map([['a', 1], ['b', 0.3], ['d', 1]])) // biome-ignore format: pairs
})
