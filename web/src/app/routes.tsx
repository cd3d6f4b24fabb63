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
  component: lazyScreen(() => import('./pages/login-page.tsx'), 'LoginPage'),
})

const signup = createRoute({
  getParentRoute: () => visitor,
  path: '/signup',
  validateSearch: textParams('plan', 'billing', 'payment'),
  component: lazyScreen(() => import('./pages/signup-page.tsx'), 'SignupPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => visitor,
  path: '/forgot-password',
  component: lazyScreen(() => import('./pages/forgot-password-page.tsx'), 'ForgotPasswordPage'),
})

// Pages linked from mails; the visitor may or may not be signed in.
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyScreen(() => import('./pages/reset-password-page.tsx'), 'ResetPasswordPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyScreen(() => import('./pages/invitation-page.tsx'), 'InvitationPage'),
})

const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  component: lazyScreen(() => import('./pages/verify-email-page.tsx'), 'VerifyEmailPage'),
})

const authorize = createRoute({
  getParentRoute: () => root,
  path: '/authorize',
  validateSearch: textParams('request', 'error', 'account'),
  beforeLoad: requireSignedInToDecide,
  pendingMs: 0,
  pendingComponent: LoadingScreen,
  component: lazyScreen(() => import('./pages/authorize-page.tsx'), 'AuthorizePage'),
})

const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  beforeLoad: requireSession,
  pendingMs: 0,
  pendingComponent: LoadingScreen,
  component: lazyScreen(() => import('./pages/second-factor-page.tsx'), 'SecondFactorPage'),
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
  component: lazyScreen(() => import('./shell/shell.tsx'), 'Shell'),
})

const dashboard = createRoute({
  getParentRoute: () => app,
  path: '/dashboard',
  validateSearch: textParams('payment', 'success', 'canceled', 'plan'),
  component: lazyScreen(() => import('./pages/dashboard-page.tsx'), 'DashboardPage'),
})

const entities = createRoute({
  getParentRoute: () => app,
  path: '/entities',
  validateSearch: textParams(...entityFilters, 'create'),
  search: { middlewares: [retainSearchParams(['asOf'])] },
  component: lazyScreen(() => import('./pages/entities-page.tsx'), 'EntitiesPage'),
})

const entity = createRoute({
  getParentRoute: () => app,
  path: '/entities/$entityId',
  validateSearch: textParams('tab', 'asOf'),
  search: { middlewares: [retainSearchParams(['asOf'])] },
  beforeLoad: requireEntityId,
  component: lazyScreen(() => import('./pages/entity-page.tsx'), 'EntityPage'),
})

const relations = createRoute({
  getParentRoute: () => app,
  path: '/relations',
  validateSearch: textParams(...relationFilters, 'create'),
  search: { middlewares: [retainSearchParams(['asOf'])] },
  component: lazyScreen(() => import('./pages/relations-page.tsx'), 'RelationsPage'),
})

const graph = createRoute({
  getParentRoute: () => app,
  path: '/graph',
  validateSearch: textParams(...graphSearchNames),
  search: { middlewares: [retainSearchParams(['asOf'])] },
  component: lazyScreen(() => import('./pages/graph-page.tsx'), 'GraphPage'),
})

const history = createRoute({
  getParentRoute: () => app,
  path: '/history',
  validateSearch: textParams(...historyFilters),
  component: lazyScreen(() => import('./pages/history-page.tsx'), 'HistoryPage'),
})

const conversations = createRoute({
  getParentRoute: () => app,
  path: '/conversations',
  validateSearch: textParams(...conversationFilters),
  component: lazyScreen(() => import('./pages/conversations-page.tsx'), 'ConversationsPage'),
})

const conversation = createRoute({
  getParentRoute: () => app,
  path: '/conversations/$conversationId',
  validateSearch: textParams('around'),
  component: lazyScreen(() => import('./pages/conversation-page.tsx'), 'ConversationPage'),
})

const inbox = createRoute({
  getParentRoute: () => app,
  path: '/inbox',
  validateSearch: textParams(...inboxFilters),
  component: lazyScreen(() => import('./pages/inbox-page.tsx'), 'InboxPage'),
})

const duplicates = createRoute({
  getParentRoute: () => app,
  path: '/duplicates',
  component: lazyScreen(() => import('./pages/duplicates-page.tsx'), 'DuplicatesPage'),
})

const health = createRoute({
  getParentRoute: () => app,
  path: '/health',
  validateSearch: textParams('kind'),
  component: lazyScreen(() => import('./pages/health-page.tsx'), 'HealthPage'),
})

const search = createRoute({
  getParentRoute: () => app,
  path: '/search',
  validateSearch: textParams(...searchFilters),
  component: lazyScreen(() => import('./pages/search-page.tsx'), 'SearchPage'),
})

const recalls = createRoute({
  getParentRoute: () => app,
  path: '/recalls',
  validateSearch: textParams('found'),
  component: lazyScreen(() => import('./pages/recalls-page.tsx'), 'RecallsPage'),
})

const recall = createRoute({
  getParentRoute: () => app,
  path: '/recalls/$recallId',
  component: lazyScreen(() => import('./pages/recall-page.tsx'), 'RecallPage'),
})

const billing = createRoute({
  getParentRoute: () => app,
  path: '/billing',
  validateSearch: textParams('payment', 'success', 'canceled', 'plan', 'billing'),
  component: lazyScreen(() => import('./pages/billing-page.tsx'), 'BillingPage'),
})

const apiKeys = createRoute({
  getParentRoute: () => app,
  path: '/api-keys',
  component: lazyScreen(() => import('./pages/api-keys-page.tsx'), 'ApiKeysPage'),
})

const doors = createRoute({
  getParentRoute: () => app,
  path: '/doors',
  component: lazyScreen(() => import('./pages/doors-page.tsx'), 'DoorsPage'),
})

const audit = createRoute({
  getParentRoute: () => app,
  path: '/audit',
  validateSearch: textParams(...auditFilters),
  component: lazyScreen(() => import('./pages/audit-page.tsx'), 'AuditPage'),
})

const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/webhooks',
  component: lazyScreen(() => import('./pages/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/$webhookId',
  component: lazyScreen(() => import('./pages/webhook-page.tsx'), 'WebhookPage'),
})

const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  component: lazyScreen(() => import('./pages/settings-page.tsx'), 'SettingsPage'),
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
