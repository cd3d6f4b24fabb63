import { AppError } from '../../ground/errors/app-error.ts'
import type { Context } from '../../tenancy/context.ts'
import type { BillingGateway } from './gateway.ts'
import { sandboxGateway } from './sandbox/sandbox-gateway.ts'
import { stripeGateway } from './stripe/stripe-gateway.ts'

const gateways = { off: undefined, sandbox: sandboxGateway, stripe: stripeGateway }

/** The gateway that charges accounts; undefined if billing is off. */
export function findGateway({ config }: Context): BillingGateway | undefined {
  return gateways[config.billing]
}

/** Throws `billing_off` if nobody is charged. */
export function gatewayOf(ctx: Context): BillingGateway {
  const gateway = findGateway(ctx)
  if (gateway === undefined) throw new AppError('billing_off', 'This server does not charge for anything.')
  return gateway
}
