import { createRouter } from '@tanstack/react-router'
import { queryClient } from '../lib/query-client.ts'
import { queryKeys } from '../lib/query-keys.ts'
import { scopeOf, setScope, subscribeToScope } from '../lib/scope.ts'
import { parseSearch, stringifySearch } from '../lib/search-params.ts'
import { currentSession, subscribeToSession } from '../lib/session.ts'
import { LoadingScreen } from '../ui/loading-screen.tsx'
import { routeTree } from './routes.tsx'

// Each page has one address: `/entities/`, an entity's without its id, is `/entities`.
const { pathname, search, hash } = window.location
const address = pathname.replace(/(?<=.)\/+$/, '')
if (address !== pathname) window.history.replaceState(null, '', address + search + hash)

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: LoadingScreen,
  defaultPendingMs: 300,
})

let left = queryKeys.space

// The address names the space. What was read of the one that is left hears of no change any more.
subscribeToScope(() => {
  void queryClient.cancelQueries({ queryKey: left })
  void queryClient.invalidateQueries({ queryKey: left, refetchType: 'none' })
  left = queryKeys.space
})
setScope(scopeOf(window.location.search))
router.history.subscribe(({ location }) => setScope(scopeOf(location.search)))

let signedIn = false

// However the session ends (log-out, a 401 in mid-flight, another tab), nothing of it stays behind.
subscribeToSession(() => {
  const wasSignedIn = signedIn
  signedIn = currentSession().status === 'signed-in'
  if (!wasSignedIn || signedIn) return
  queryClient.clear()
  void router.navigate({ to: '/login' })
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
