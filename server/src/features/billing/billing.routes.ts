import { baseUrlOf } from '../../http/base-url.ts'
import type { Handlers } from '../../http/routes.ts'
import * as billing from './billing.service.ts'

type Operations =
  | 'subscription'
  | 'listPaymentMethods'
  | 'listPlans'
  | 'listInvoices'
  | 'createSetupIntent'
  | 'confirmTestCard'
  | 'setDefaultPaymentMethod'
  | 'deletePaymentMethod'
  | 'changePlan'
  | 'createCheckout'
  | 'cancelSubscription'
  | 'reactivateSubscription'

export const billingRoutes: Handlers<Operations> = {
  subscription: ({ ctx, actor }) => billing.getSubscription(ctx, actor),
  listPaymentMethods: async ({ ctx, actor }) => ({
    paymentMethods: await billing.listPaymentMethods(ctx, actor),
  }),
  listPlans: async ({ ctx }) => ({ plans: billing.listPlans(ctx) }),
  listInvoices: async ({ ctx, actor, request }) => ({
    invoices: await billing.listInvoices(ctx, actor, baseUrlOf(ctx.config, request)),
  }),
  createSetupIntent: ({ ctx, actor }) => billing.createSetupIntent(ctx, actor),
  confirmTestCard: ({ ctx, actor, body }) => billing.confirmTestCard(ctx, actor, body),
  setDefaultPaymentMethod: async ({ ctx, actor, params }) => ({
    paymentMethods: await billing.setDefaultPaymentMethod(ctx, actor, params.id),
  }),
  deletePaymentMethod: ({ ctx, actor, params }) => billing.deletePaymentMethod(ctx, actor, params.id),
  changePlan: ({ ctx, actor, body }) => billing.changePlan(ctx, actor, body),
  createCheckout: async ({ ctx, actor, body, request }) => ({
    url: await billing.createCheckout(ctx, actor, body, baseUrlOf(ctx.config, request)),
  }),
  cancelSubscription: ({ ctx, actor, body }) => billing.cancelSubscription(ctx, actor, body),
  reactivateSubscription: ({ ctx, actor }) => billing.reactivateSubscription(ctx, actor),
}
