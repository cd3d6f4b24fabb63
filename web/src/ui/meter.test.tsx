import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Meter, wordsOf } from './meter.tsx'

const markup = (value: string, percent: number) =>
  renderToStaticMarkup(
    <MantineProvider>
      <Meter label="Entities" value={value} percent={percent} />
    </MantineProvider>,
  )

test('a bar is read out in words, and in full above its limit', () => {
  const bar = markup('5,000 of 1,000', 500)
  expect(bar).toContain('aria-valuetext="5,000 of 1,000, 500%"')
  expect(bar).toContain('aria-valuenow="100"')
  expect(bar.match(/role="progressbar"/g)).toHaveLength(1)
  expect(markup('28 of 1,500', 1.8666)).toContain('aria-valuetext="28 of 1,500, 2%"')
})

test('without a limit there is no share', () => {
  expect(wordsOf('12, unlimited', 0)).toBe('12, unlimited')
  expect(wordsOf('Not available', 0)).toBe('Not available')
})
