import type { CreateCheckout } from '@loci/contract/billing'
import type { FastifyRequest } from 'fastify'
import type { Handlers } from '../../doors/http/routes.ts'
import type { Config } from '../../ground/config/config.ts'
import { invalidField } from '../../ground/errors/app-error.ts'
import { baseUrlOf, isOwnAddress } from '../../tenancy/base-url.ts'
import type { Context } from '../../tenancy/context.ts'
import * as billing from './billing.service.ts'
import * as details from './billing-details.service.ts'
import { inBillingTime } from './billing-time.ts'
import { moveTestClock } from './sandbox/move-clock.ts'

const routes = {
  subscription: ({ ctx, actor, request }) =>
    billing.getSubscription(ctx, actor, baseUrlOf(ctx.config, request)),
  listPaymentMethods: async ({ ctx, actor }) => ({
    paymentMethods: await billing.listPaymentMethods(ctx, actor),
  }),
  listPlans: async ({ ctx }) => ({ plans: billing.listPlans(ctx) }),
  listInvoices: async ({ ctx, actor, request }) => ({
    invoices: await billing.listInvoices(ctx, actor, baseUrlOf(ctx.config, request)),
  }),
  billingDetails: ({ ctx, actor }) => details.getBillingDetails(ctx, actor),
  updateBillingDetails: ({ ctx, actor, body }) => details.updateBillingDetails(ctx, actor, body),
  openBillingPortal: async ({ ctx, actor, request }) => ({
    url: await details.openBillingPortal(ctx, actor, `${baseUrlOf(ctx.config, request)}/billing`),
  }),
  createSetupIntent: ({ ctx, actor }) => billing.createSetupIntent(ctx, actor),
  confirmTestCard: ({ ctx, actor, body }) => billing.confirmTestCard(ctx, actor, body),
  moveTestClock: ({ ctx, body }) => moveTestClock(ctx, body),
  setDefaultPaymentMethod: async ({ ctx, actor, params }) => ({
    paymentMethods: await billing.setDefaultPaymentMethod(ctx, actor, params.id),
  }),
  deletePaymentMethod: ({ ctx, actor, params }) => billing.deletePaymentMethod(ctx, actor, params.id),
  changePlan: ({ ctx, actor, body, request }) =>
    billing.changePlan(ctx, actor, body, baseUrlOf(ctx.config, request)),
  previewChange: ({ ctx, actor, body }) => billing.previewChange(ctx, actor, body),
  createCheckout: async ({ ctx, actor, body, request }) => {
    requireOwnAddresses(ctx.config, request, body)
    return { url: await billing.createCheckout(ctx, actor, body, baseUrlOf(ctx.config, request)) }
  },
  cancelSubscription: ({ ctx, actor, body, request }) =>
    billing.cancelSubscription(ctx, actor, body, baseUrlOf(ctx.config, request)),
  reactivateSubscription: ({ ctx, actor, request }) =>
    billing.reactivateSubscription(ctx, actor, baseUrlOf(ctx.config, request)),
} satisfies Partial<Handlers>

type AnyHandler = (call: { ctx: Context }) => Promise<unknown>

function goingByBillingTime<H extends Partial<Handlers>>(handlers: H): H {
  const all = Object.entries(handlers as unknown as Record<string, AnyHandler>)
  const timed = all.map(([id, handle]): [string, AnyHandler] => [
    id,
    async (call) => handle({ ...call, ctx: await inBillingTime(call.ctx) }),
  ])
  return Object.fromEntries(timed) as unknown as H
}

export const billingRoutes = goingByBillingTime(routes)

/** Otherwise one of our checkout pages could redirect people who trust it to any site. Throws `validation_failed`. */
function requireOwnAddresses(config: Config, request: FastifyRequest, input: CreateCheckout): void {
  for (const path of ['successUrl', 'cancelUrl'] as const) {
    if (isOwnAddress(config, request, input[path])) continue
    throw invalidField(path, 'Must be an address of this server')
  }
}
