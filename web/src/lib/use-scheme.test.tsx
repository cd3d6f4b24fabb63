import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { useScheme } from './use-scheme.ts'

const Scheme = () => useScheme()

test('a dark system is known at the first render', () => {
  vi.stubGlobal('window', { matchMedia: () => ({ matches: true }) })
  const markup = renderToStaticMarkup(
    <MantineProvider defaultColorScheme="auto">
      <Scheme />
    </MantineProvider>,
  )
  expect(markup).toMatch(/dark$/)
})
