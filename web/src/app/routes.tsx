import { createRootRoute, createRoute, Outlet, retainSearchParams } from '@tanstack/react-router'
import { graphSearchNames } from '../features/graphs/graph-address.ts'
import {
  auditFilters,
  conversationFilters,
  entityFilters,
  historyFilters,
  inboxFilters,
  relationFilters,
  searchFilters,
} from '../lib/filters.ts'
import { textParams } from '../lib/search-params.ts'
import { LoadingScreen } from '../ui/loading-screen.tsx'
import {
  leaveUnknownPath,
  requireAnonymous,
  requireEntityId,
  requireSession,
  requireSignedInSomewhere,
  requireSignedInToDecide,
} from './guards.ts'
import { lazyScreen } from './lazy-screen.tsx'
import { ErrorPage } from './pages/error-page.tsx'
import { apartScreens, loadShell, shellScreens } from './screens.ts'

const root = createRootRoute({ component: Outlet, errorComponent: ErrorPage })

const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: leaveUnknownPath,
  pendingMs: 0,
  pendingComponent: LoadingScreen,
})

const visitor = createRoute({
  getParentRoute: () => root,
  id: 'visitor',
  beforeLoad: requireAnonymous,
  pendingMs: 0,
  pendingComponent: LoadingScreen,
})

const login = createRoute({
  getParentRoute: () => visitor,
  path: '/login',
  component: lazyScreen(apartScreens['/login'], 'LoginPage'),
})

const signup = createRoute({
  getParentRoute: () => visitor,
  path: '/signup',
  validateSearch: textParams('plan', 'billing', 'payment'),
  component: lazyScreen(apartScreens['/signup'], 'SignupPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => visitor,
  path: '/forgot-password',
  component: lazyScreen(apartScreens['/forgot-password'], 'ForgotPasswordPage'),
})

// Pages linked from mails; the visitor may or may not be signed in.
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyScreen(apartScreens['/reset-password'], 'ResetPasswordPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyScreen(apartScreens['/invitation'], 'InvitationPage'),
})

const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  component: lazyScreen(apartScreens['/verify-email'], 'VerifyEmailPage'),
})

const authorize = createRoute({
  getParentRoute: () => root,
  path: '/authorize',
  validateSearch: textParams('request', 'error', 'account'),
  beforeLoad: requireSignedInToDecide,
  pendingMs: 0,
  pendingComponent: LoadingScreen,
  component: lazyScreen(apartScreens['/authorize'], 'AuthorizePage'),
})

const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  beforeLoad: requireSession,
  pendingMs: 0,
  pendingComponent: LoadingScreen,
  component: lazyScreen(apartScreens['/second-factor'], 'SecondFactorPage'),
})

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  // The only place that keeps the account and the space in links; `asOf` is kept wherever the past can be
  // shown.
  validateSearch: textParams('account', 'space'),
  search: { middlewares: [retainSearchParams(['account', 'space'])] },
  beforeLoad: requireSignedInSomewhere,
  pendingMs: 0,
  pendingComponent: LoadingScreen,
  component: lazyScreen(loadShell, 'Shell'),
})

const dashboard = createRoute({
  getParentRoute: () => app,
  path: '/dashboard',
  validateSearch: textParams('payment', 'success', 'canceled', 'plan'),
  component: lazyScreen(shellScreens['/dashboard'], 'DashboardPage'),
})

const entities = createRoute({
  getParentRoute: () => app,
  path: '/entities',
  validateSearch: textParams(...entityFilters, 'create'),
  search: { middlewares: [retainSearchParams(['asOf'])] },
  component: lazyScreen(shellScreens['/entities'], 'EntitiesPage'),
})

const entity = createRoute({
  getParentRoute: () => app,
  path: '/entities/$entityId',
  validateSearch: textParams('tab', 'asOf', 'held'),
  search: { middlewares: [retainSearchParams(['asOf'])] },
  beforeLoad: requireEntityId,
  component: lazyScreen(shellScreens['/entities/$entityId'], 'EntityPage'),
})

const relations = createRoute({
  getParentRoute: () => app,
  path: '/relations',
  validateSearch: textParams(...relationFilters, 'create'),
  search: { middlewares: [retainSearchParams(['asOf'])] },
  component: lazyScreen(shellScreens['/relations'], 'RelationsPage'),
})

const graph = createRoute({
  getParentRoute: () => app,
  path: '/graph',
  validateSearch: textParams(...graphSearchNames),
  search: { middlewares: [retainSearchParams(['asOf'])] },
  component: lazyScreen(shellScreens['/graph'], 'GraphPage'),
})

const history = createRoute({
  getParentRoute: () => app,
  path: '/history',
  validateSearch: textParams(...historyFilters),
  component: lazyScreen(shellScreens['/history'], 'HistoryPage'),
})

const conversations = createRoute({
  getParentRoute: () => app,
  path: '/conversations',
  validateSearch: textParams(...conversationFilters),
  component: lazyScreen(shellScreens['/conversations'], 'ConversationsPage'),
})

const conversation = createRoute({
  getParentRoute: () => app,
  path: '/conversations/$conversationId',
  validateSearch: textParams('around', 'find'),
  component: lazyScreen(shellScreens['/conversations/$conversationId'], 'ConversationPage'),
})

const inbox = createRoute({
  getParentRoute: () => app,
  path: '/inbox',
  validateSearch: textParams(...inboxFilters),
  component: lazyScreen(shellScreens['/inbox'], 'InboxPage'),
})

const duplicates = createRoute({
  getParentRoute: () => app,
  path: '/duplicates',
  component: lazyScreen(shellScreens['/duplicates'], 'DuplicatesPage'),
})

const health = createRoute({
  getParentRoute: () => app,
  path: '/health',
  validateSearch: textParams('kind'),
  component: lazyScreen(shellScreens['/health'], 'HealthPage'),
})

const search = createRoute({
  getParentRoute: () => app,
  path: '/search',
  validateSearch: textParams(...searchFilters),
  component: lazyScreen(shellScreens['/search'], 'SearchPage'),
})

const recalls = createRoute({
  getParentRoute: () => app,
  path: '/recalls',
  validateSearch: textParams('found'),
  component: lazyScreen(shellScreens['/recalls'], 'RecallsPage'),
})

const recall = createRoute({
  getParentRoute: () => app,
  path: '/recalls/$recallId',
  component: lazyScreen(shellScreens['/recalls/$recallId'], 'RecallPage'),
})

const billing = createRoute({
  getParentRoute: () => app,
  path: '/billing',
  validateSearch: textParams('payment', 'success', 'canceled', 'plan', 'billing'),
  component: lazyScreen(shellScreens['/billing'], 'BillingPage'),
})

const apiKeys = createRoute({
  getParentRoute: () => app,
  path: '/api-keys',
  component: lazyScreen(shellScreens['/api-keys'], 'ApiKeysPage'),
})

const doors = createRoute({
  getParentRoute: () => app,
  path: '/doors',
  component: lazyScreen(shellScreens['/doors'], 'DoorsPage'),
})

const audit = createRoute({
  getParentRoute: () => app,
  path: '/audit',
  validateSearch: textParams(...auditFilters),
  component: lazyScreen(shellScreens['/audit'], 'AuditPage'),
})

const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/webhooks',
  component: lazyScreen(shellScreens['/webhooks'], 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/$webhookId',
  component: lazyScreen(shellScreens['/webhooks/$webhookId'], 'WebhookPage'),
})

const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  component: lazyScreen(shellScreens['/settings'], 'SettingsPage'),
})

/** `/` and `/pricing` are separate documents outside the app: see build/public-pages.ts. */
export const routeTree = root.addChildren([
  visitor.addChildren([login, signup, forgotPassword]),
  resetPassword,
  verifyEmail,
  invitation,
  authorize,
  secondFactor,
  app.addChildren([
    dashboard,
    entities,
    entity,
    relations,
    graph,
    history,
    conversations,
    conversation,
    inbox,
    duplicates,
    health,
    search,
    recalls,
    recall,
    billing,
    apiKeys,
    doors,
    audit,
    webhooks,
    webhook,
    settings,
  ]),
  unknown,
])
