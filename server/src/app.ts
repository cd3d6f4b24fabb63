import { plainBodyBytesMax } from '@loci/contract/endpoint'
import { importTypes } from '@loci/contract/imports'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { registerApiDocs } from './doors/http/api-docs.ts'
import { registerBodies } from './doors/http/bodies.ts'
import { registerCredentials } from './doors/http/credentials.ts'
import { refuseConnection, registerErrorHandling, sendError } from './doors/http/errors.ts'
import { createHostCheck, registerHostCheck } from './doors/http/known-hosts.ts'
import { registerMetrics } from './doors/http/metrics.ts'
import { registerOpenApi } from './doors/http/openapi.ts'
import { receiveRefusedBodies } from './doors/http/refused-bodies.ts'
import { registerRequestLog } from './doors/http/request-log.ts'
import { registerTracing } from './doors/http/request-spans.ts'
import { registerRoutes } from './doors/http/routes.ts'
import { registerSecurityHeaders } from './doors/http/security-headers.ts'
import { endStalledReaders } from './doors/http/stalled-readers.ts'
import { registerStopping } from './doors/http/stopping.ts'
import { trustProxyOption } from './doors/http/trusted-proxies.ts'
import { registerWebApp } from './doors/http/web-app.ts'
import { type ExtendMcp, registerMcp } from './doors/mcp/http.ts'
import type { RealtimeLimits } from './doors/realtime/hub.ts'
import { isRealtimeUpgrade, registerRealtime } from './doors/realtime/realtime.routes.ts'
import { analyticsRoutes } from './features/analytics/analytics.routes.ts'
import { auditRoutes } from './features/audit/audit.routes.ts'
import { createAuditSweep } from './features/audit/audit-sweep.ts'
import { finishRecording } from './features/audit/record-later.ts'
import { billingRoutes } from './features/billing/billing.routes.ts'
import { findGateway } from './features/billing/gateway-of.ts'
import { differingBooks, oldestCheckSeconds } from './features/billing/ledger/check-ledger.ts'
import { createBillingClock } from './features/billing/sandbox/billing-clock.ts'
import { registerSandboxPages } from './features/billing/sandbox/pages.ts'
import { newestEventSeconds } from './features/billing/stripe/missing-events.ts'
import { SyncQueue } from './features/billing/stripe/sync-queue.ts'
import { registerStripeWebhook } from './features/billing/stripe/webhook.ts'
import { createTrialReminders } from './features/billing/trial-reminders.ts'
import { warnOfForeignPlans } from './features/billing/warn-of-foreign-plans.ts'
import { createBriefMailRounds } from './features/briefs/brief-mail-rounds.ts'
import { briefRoutes } from './features/briefs/briefs.routes.ts'
import { registerWeeklyMail } from './features/briefs/register-weekly-mail.ts'
import { changeRoutes } from './features/changes/changes.routes.ts'
import { citedFileRoutes } from './features/cited-files/cited-files.routes.ts'
import { createConnectionSweep } from './features/connections/connection-sweep.ts'
import { connectionRoutes } from './features/connections/connections.routes.ts'
import { registerOAuth } from './features/connections/oauth/endpoints.ts'
import type { DocumentSource } from './features/connections/oauth/providers.ts'
import { createConversationSweep } from './features/conversations/conversation-sweep.ts'
import { conversationRoutes } from './features/conversations/conversations.routes.ts'
import { draftRoutes } from './features/drafts/drafts.routes.ts'
import { duplicateRoutes } from './features/duplicates/duplicates.routes.ts'
import { stopInstalling } from './features/embeddings/choice.service.ts'
import { embeddingsRoutes } from './features/embeddings/embeddings.routes.ts'
import { countQueue } from './features/embeddings/embeddings.service.ts'
import { entityRoutes } from './features/entities/entities.routes.ts'
import { createExpiredFactsSweep } from './features/entities/expired-facts-sweep.ts'
import { exportRoutes } from './features/exports/exports.routes.ts'
import { graphRoutes } from './features/graphs/graphs.routes.ts'
import { healthRoutes } from './features/health/health.routes.ts'
import { createImportRunner } from './features/imports/import-runner.ts'
import { importRoutes } from './features/imports/imports.routes.ts'
import { keyRoutes } from './features/keys/keys.routes.ts'
import { MailSender } from './features/mails/mail-sender.ts'
import { mapRoutes } from './features/maps/maps.routes.ts'
import { memberRoutes } from './features/members/members.routes.ts'
import { proposalRoutes } from './features/proposals/proposals.routes.ts'
import { createProposalsSweep } from './features/proposals/proposals-sweep.ts'
import { createRecallSweep } from './features/recalls/recall-sweep.ts'
import { recallRoutes } from './features/recalls/recalls.routes.ts'
import { relationRoutes } from './features/relations/relations.routes.ts'
import { startRemovals } from './features/removals/removals.ts'
import { searchRoutes } from './features/search/search.routes.ts'
import { serverRoutes } from './features/server/server.routes.ts'
import { registerSharedPages } from './features/shares/register-shared-pages.ts'
import { shareRoutes } from './features/shares/shares.routes.ts'
import { spaceRoutes } from './features/spaces/spaces.routes.ts'
import { trialRoutes } from './features/trials/trials.routes.ts'
import { secondFactorRoutes } from './features/users/second-factors/second-factors.routes.ts'
import { userRoutes } from './features/users/users.routes.ts'
import { viewRoutes } from './features/views/views.routes.ts'
import { type SenderOptions, WebhookSender } from './features/webhooks/sending/sender.ts'
import { webhookRoutes } from './features/webhooks/webhooks.routes.ts'
import type { PeriodicWork } from './ground/lib/periodic-work.ts'
import { minuteMs, secondMs } from './ground/lib/time.ts'
import type { Gauge } from './ground/telemetry/metrics.ts'
import { createHistorySweep } from './memory/log/history-sweep.ts'
import { embedInBackground } from './search/meaning/embed-in-background.ts'
import type { WorkerOptions } from './search/meaning/embedding-worker.ts'
import { createPostingFolder } from './search/store/fold-postings.ts'
import { createFileWatch, type FileWatchTimes } from './store/file-watch.ts'
import type { Context } from './tenancy/context.ts'
import type { Follower } from './tenancy/leases/follower.ts'
import { resealSecrets } from './tenancy/reseal-secrets.ts'

export type AppOptions = {
  extendMcp?: ExtendMcp
  realtimeLimits?: Partial<RealtimeLimits>
  embedding?: WorkerOptions
  webhooks?: SenderOptions
  clientDocuments?: DocumentSource
  fileWatch?: FileWatchTimes
  /** How long a client can leave its response unread. */
  unreadMs?: number
}

function refuseSchemas(): never {
  throw new Error("Describe requests and answers in the contract, not in Fastify's schemas")
}

/** Builds everything that is served, ready to listen. Closing it does not close the context. */
export async function buildApp(ctx: Context, options: AppOptions = {}): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyOption(ctx.config.trustProxy),
    bodyLimit: plainBodyBytesMax,
    forceCloseConnections: 'idle',
    // Requests that arrive during shutdown are still served; then their connection is closed.
    return503OnClosing: false,
    connectionTimeout: options.unreadMs ?? minuteMs,
    genReqId: () => ctx.newId('req'),
    routerOptions: { maxParamLength: 512 },
    // The contract uses zod. Fastify's own compilers would load more modules than all of ours.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    // Bodies can take long, as imports do; headers cannot.
    requestTimeout: 10 * minuteMs,
    http: {
      shouldUpgradeCallback: isRealtimeUpgrade,
      headersTimeout: 20 * secondMs,
      connectionsCheckingInterval: 5 * secondMs,
    },
    frameworkErrors: (error, request, reply) => sendError(ctx, error, request, reply),
    clientErrorHandler: refuseConnection,
  })
  registerStopping(app)
  endStalledReaders(app)
  registerErrorHandling(app, ctx)
  registerSecurityHeaders(app, ctx.config)
  registerHostCheck(app, createHostCheck(ctx.config))
  registerBodies(app, importTypes)
  receiveRefusedBodies(app)
  registerCredentials(app)
  registerRequestLog(app)
  await registerTracing(app, ctx)
  const imports = createImportRunner()
  app.addHook('preClose', () => imports.close())
  registerRoutes(app, ctx, {
    ...serverRoutes,
    ...userRoutes,
    ...secondFactorRoutes,
    ...entityRoutes,
    ...relationRoutes,
    ...changeRoutes,
    ...proposalRoutes,
    ...graphRoutes,
    ...searchRoutes,
    ...embeddingsRoutes,
    ...spaceRoutes,
    ...keyRoutes,
    ...trialRoutes,
    ...memberRoutes,
    ...auditRoutes,
    ...mapRoutes,
    ...shareRoutes,
    ...viewRoutes,
    ...recallRoutes,
    ...briefRoutes,
    ...duplicateRoutes,
    ...healthRoutes,
    ...citedFileRoutes,
    ...conversationRoutes,
    ...draftRoutes,
    ...analyticsRoutes,
    ...importRoutes(imports),
    ...exportRoutes,
    ...billingRoutes,
    ...webhookRoutes,
    ...connectionRoutes,
  })
  registerSharedPages(app, ctx)
  registerOAuth(app, ctx, options.clientDocuments)
  registerBilling(app, ctx)
  registerMails(app, ctx)
  registerWeeklyMail(app, ctx)
  registerRemovals(app, ctx)
  registerResealing(app, ctx)
  registerEmbedding(app, ctx, options.embedding)
  for (const sweep of sweepsOf(ctx)) runBeside(app, sweep)
  registerAudit(app, ctx)
  runBeside(app, createPostingFolder(ctx))
  if (ctx.dialect.name === 'sqlite') runBeside(app, createFileWatch(ctx, options.fileWatch))
  const sender = new WebhookSender(ctx, options.webhooks)
  runBeside(app, sender)
  registerOpenApi(app)
  const streams = registerMcp(app, ctx, options.extendMcp)
  const hub = registerRealtime(app, ctx, options.realtimeLimits)
  registerApiDocs(app)
  await registerMetrics(app, ctx, [
    { name: 'loci_realtime_connections', help: 'Open WebSockets', read: () => hub.size },
    { name: 'loci_calls_waiting', help: 'Calls that wait for their turn', read: () => ctx.callQueue.waiting },
    { name: 'loci_mcp_streams', help: 'Open streams of subscriptions over MCP', read: () => streams.size },
    {
      name: 'loci_webhooks_sending',
      help: 'Webhook endpoints that are being sent to',
      read: () => sender.size,
    },
    { name: 'loci_imports_running', help: 'Imports that run', read: () => imports.size },
    {
      name: 'loci_embeddings_waiting',
      help: 'Texts that wait for their vectors',
      read: () => countQueue(ctx),
    },
    ...billingGauges(ctx),
  ])
  await registerWebApp(app, ctx.config)
  return app
}

/** Runs while the app listens. */
function runBeside(app: FastifyInstance, work: Pick<PeriodicWork, 'start' | 'close'>): void {
  app.addHook('onListen', () => work.start())
  app.addHook('onClose', () => work.close())
}

/** What billing needs besides its routes: pages or the webhook, and the timer that ends periods. */
function registerBilling(app: FastifyInstance, ctx: Context): void {
  const gateway = findGateway(ctx)
  app.addHook('onListen', () => warnOfForeignPlans(ctx))
  if (gateway === undefined) return
  if (gateway.name === 'stripe') {
    const queue = new SyncQueue(ctx)
    registerStripeWebhook(app, ctx, queue)
    runBeside(app, queue)
    return
  }
  registerSandboxPages(app, ctx)
  runBeside(app, createBillingClock(ctx))
}

function billingGauges(ctx: Context): Gauge[] {
  const gateway = findGateway(ctx)
  if (gateway === undefined) return []
  const books: Gauge[] = [
    {
      name: 'loci_ledger_differing',
      help: 'Accounts whose books differ from their gateway',
      read: () => differingBooks(ctx),
    },
    {
      name: 'loci_ledger_checked_timestamp_seconds',
      help: 'When the books that were compared the longest ago were, in seconds since 1970',
      read: () => oldestCheckSeconds(ctx),
    },
  ]
  if (gateway.name !== 'stripe') return books
  const help = "When Stripe's newest event was received, in seconds since 1970"
  return [
    ...books,
    { name: 'loci_stripe_event_timestamp_seconds', help, read: () => newestEventSeconds(ctx) },
  ]
}

/** Sends mails, if mail is set up. */
function registerMails(app: FastifyInstance, ctx: Context): void {
  if (ctx.config.mail === undefined) return
  runBeside(app, new MailSender(ctx, ctx.config.mail))
  runBeside(app, createTrialReminders(ctx))
  runBeside(app, createBriefMailRounds(ctx))
}

/** Deletes the rows of deleted spaces and accounts. */
function registerRemovals(app: FastifyInstance, ctx: Context): void {
  let removals: Follower | undefined
  app.addHook('onListen', () => {
    removals = startRemovals(ctx)
  })
  app.addHook('onClose', () => removals?.close())
}

/** Re-encrypts values that were sealed with the previous secret. */
function registerResealing(app: FastifyInstance, ctx: Context): void {
  if (ctx.config.secretOld === undefined) return
  const stop = new AbortController()
  let end: Promise<void> = Promise.resolve()
  app.addHook('onListen', () => {
    end = resealSecrets(ctx, stop.signal).then(
      (counts) => ctx.log.info(counts, 'stored secrets are sealed with LOCI_SECRET now'),
      (error) => ctx.log.error({ err: error }, 'secrets could not be resealed; the next start continues'),
    )
  })
  app.addHook('onClose', async () => {
    stop.abort()
    await end
  })
}

/** What is deleted or decided after its time. */
function sweepsOf(ctx: Context): PeriodicWork[] {
  const { historyDays } = ctx.config
  return [
    ...(historyDays === undefined ? [] : [createHistorySweep(ctx, historyDays)]),
    createConversationSweep(ctx),
    createConnectionSweep(ctx),
    createExpiredFactsSweep(ctx),
    createProposalsSweep(ctx),
    createRecallSweep(ctx),
  ]
}

/** Deletes old events of the audit log. Shutdown waits for pending events. */
function registerAudit(app: FastifyInstance, ctx: Context): void {
  const sweep = createAuditSweep(ctx)
  app.addHook('onListen', () => sweep.start())
  app.addHook('onClose', async () => {
    await sweep.close()
    await finishRecording(ctx)
  })
}

/** Computes vectors, if an embedder is configured or chosen. */
function registerEmbedding(app: FastifyInstance, ctx: Context, options: WorkerOptions | undefined): void {
  let embedding: ReturnType<typeof embedInBackground> | undefined
  app.addHook('onListen', () => {
    embedding = embedInBackground(ctx, options)
  })
  app.addHook('onClose', async () => {
    await stopInstalling(ctx)
    await embedding?.close()
  })
}
