import type { User } from '@loci/contract/auth'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, configure, render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { onTestFinished, vi } from 'vitest'
import { theme } from '../src/app/theme/theme.ts'
import { queryClient } from '../src/lib/query-client.ts'
import { setScope } from '../src/lib/scope.ts'
import { parseSearch, stringifySearch } from '../src/lib/search-params.ts'
import { signOutHere, startSession } from '../src/lib/session.ts'
import { personAs } from './people.ts'

/** A busy machine can take many seconds to show a screen for the first time. */
configure({ asyncUtilTimeout: 30_000 })

export type Screen = {
  user: UserEvent
  /** The address that links and navigation have led to. */
  address: () => string
}

type Options = {
  at?: string
  as?: User | 'visitor'
  /** The path of the route whose address the part reads, such as `/webhooks/$webhookId`. */
  route?: string
}

/**
 * Shows a part of the web app, signed in as an owner unless told otherwise, with everything around it that it uses:
 * theme, cache, router and notifications. All addresses show the same part, so links can be followed; a part that reads
 * the address of its own route is shown at that route only.
 */
export async function show(
  part: ReactNode,
  { at = '/', as: person = personAs('owner'), route }: Options = {},
): Promise<Screen> {
  standInForBrowser()
  if (person !== 'visitor') startSession({ token: 'token', user: person, deviceToken: 'device' })
  const routeTree = route === undefined ? everywhere(part) : atRoute(route, part)
  const history = createMemoryHistory({ initialEntries: [at] })
  const router = createRouter({ routeTree, history, parseSearch, stringifySearch })
  await router.load()
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <Notifications />
        {/* biome-ignore lint/suspicious/noExplicitAny: the app's routes are registered as the only ones. */}
        <RouterProvider router={router as any} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  onTestFinished(() => {
    cleanup()
    act(() => signOutHere())
    queryClient.clear()
    notifications.clean()
    setScope({})
    localStorage.clear()
    sessionStorage.clear()
  })
  return { user: userEvent.setup(), address: () => router.state.location.href }
}

const everywhere = (part: ReactNode) =>
  createRootRoute({ component: () => part, notFoundComponent: () => part })

/** The same ids as in the app: `/app/billing`. */
function atRoute(path: string, part: ReactNode) {
  const root = createRootRoute({ notFoundComponent: () => null })
  const app = createRoute({ getParentRoute: () => root, id: 'app' })
  const page = createRoute({ getParentRoute: () => app, path, component: () => part })
  return root.addChildren([app.addChildren([page])])
}

/** What components ask of a browser and jsdom does not have. */
function standInForBrowser(): void {
  const observer = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', observer)
  vi.stubGlobal('IntersectionObserver', observer)
  window.matchMedia ??= (query) =>
    Object.assign(new EventTarget(), { matches: false, media: query }) as unknown as MediaQueryList
  Element.prototype.scrollIntoView ??= () => {}
  vi.stubGlobal('scrollTo', () => {})
  if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget() })
}
