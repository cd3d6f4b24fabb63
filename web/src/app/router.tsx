import { createRouter } from '@tanstack/react-router'
import { onRefusedHere } from '../lib/api.ts'
import { rememberDestination, takeDestination } from '../lib/destination.ts'
import { keepDrafts, releaseDrafts } from '../lib/kept-drafts.ts'
import { forgetPlace } from '../lib/place.ts'
import { queryClient, renewWhenReachable } from '../lib/query-client.ts'
import { queryKeys } from '../lib/query-keys.ts'
import { watchNetwork } from '../lib/reachability.ts'
import { forgetRecentEntities } from '../lib/recent-entities.ts'
import { scopeOf, setScope, subscribeToScope } from '../lib/scope.ts'
import { parseSearch, stringifySearch } from '../lib/search-params.ts'
import {
  currentSession,
  onSignedInElsewhere,
  renewSessionUser,
  type SessionEnd,
  type SessionState,
  subscribeToSession,
} from '../lib/session.ts'
import { hasUnsaved } from '../lib/unsaved.ts'
import { LoadingScreen } from '../ui/loading-screen.tsx'
import { noteList } from './last-list.ts'
import { ErrorPage } from './pages/error-page.tsx'
import { routeTree } from './routes.tsx'

// Each page has one address: `/entities/` (an entity's address without its id) becomes `/entities`.
const { pathname, search, hash } = window.location
const address = pathname.replace(/(?<=.)\/+$/, '')
if (address !== pathname) window.history.replaceState(null, '', address + search + hash)

watchNetwork()
renewWhenReachable()

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ErrorPage,
  defaultPendingComponent: LoadingScreen,
  defaultPendingMs: 300,
})

let left = queryKeys.space()

// The address names the space. Cached data of the previous space no longer receives changes.
subscribeToScope(() => {
  void queryClient.cancelQueries({ queryKey: left })
  void queryClient.invalidateQueries({ queryKey: left, refetchType: 'none' })
  left = queryKeys.space()
})
setScope(scopeOf(window.location.search))
noteList(router.history.location)
router.history.subscribe(({ location }) => {
  setScope(scopeOf(location.search))
  noteList(location)
})

// The role, the space or the membership ended under an open page: show so, unless that would drop what is typed.
onRefusedHere(({ code }) => {
  if (hasUnsaved()) return
  if (code === 'space_not_found') void queryClient.invalidateQueries({ queryKey: queryKeys.spaces() })
  else void renewSessionUser()
})

let signedInAs = userIdOf(currentSession())

// However the session starts or ends (log-out, a 401 on a request, another tab), clear all its data.
subscribeToSession(() => {
  const session = currentSession()
  const before = signedInAs
  signedInAs = userIdOf(session)
  if (signedInAs === before) return
  if (before === undefined) return
  forgetPlace()
  forgetRecentEntities()
  queryClient.clear()
  if (session.status === 'anonymous') leave(session.ended, before)
  else enter()
})

onSignedInElsewhere(() => {
  if (isForVisitors(router.state.location.pathname)) enter()
})

/** Users who did not log out themselves return to the same place after signing in. */
function leave(ended: SessionEnd | undefined, userId: string): void {
  const { href, pathname } = router.state.location
  if (ended && !isForVisitors(pathname)) {
    rememberDestination(href, userId)
    keepDrafts(userId)
  }
  void router.navigate({ to: '/login', ignoreBlocker: true })
}

/** Shows the new session in place of the sign-in page or another user's screen. */
function enter(): void {
  releaseDrafts(signedInAs)
  router.history.replace(takeDestination(signedInAs), undefined, { ignoreBlocker: true })
}

function isForVisitors(pathname: string): boolean {
  return pathname === '/login' || pathname === '/signup'
}

function userIdOf(session: SessionState): string | undefined {
  return session.status === 'signed-in' ? session.user.id : undefined
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** Typed on one page of those for signing in, for the next. */
    email?: string
  }
}
