import type { Context } from '../../context.ts'
import type { BillingGateway } from './gateway.ts'
import { sandboxGateway } from './sandbox/sandbox-gateway.ts'
import { stripeGateway } from './stripe/stripe-gateway.ts'

/** Stripe when its key is configured, else the sandbox. */
export function gatewayOf({ config }: Context): BillingGateway {
  return config.stripe === undefined ? sandboxGateway : stripeGateway
}
