import type { PaymentMethod } from '@loci/contract/billing'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const triesMax = 8
const pauseMs = 750

/** Waits for the card that Stripe took: our server learns of it by webhook a moment later. Gives up eventually. */
export function useUntilNewCard() {
  const client = useQueryClient()
  return async () => {
    const known = client.getQueryData<PaymentMethod[]>(queryKeys.paymentMethods())?.length ?? 0
    for (let tries = 0; tries < triesMax; tries++) {
      const cards = await api.listPaymentMethods().then(
        ({ paymentMethods }) => paymentMethods.length,
        () => known,
      )
      if (cards > known) return
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
