/** Starts the checkout of a paid plan and answers where the browser must go. */
export async function startCheckout(_planId: string, _interval: 'monthly' | 'annual'): Promise<string> {
  // @TODO Call the billing interface once the contract has it.
  throw new Error('Checkout is not available')
}
