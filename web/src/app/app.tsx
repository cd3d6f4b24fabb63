import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { cspNonce } from '../lib/csp-nonce.ts'
import { queryClient } from '../lib/query-client.ts'
import { keepFocus } from './keep-focus.ts'
import { router } from './router.tsx'
import { cssVariablesResolver, theme } from './theme/theme.ts'

const toastMs = 5_000

export function App() {
  useEffect(keepFocus, [])
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariablesResolver}
      getStyleNonce={() => cspNonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="top-right" autoClose={toastMs} containerWidth={360} zIndex={1000} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
