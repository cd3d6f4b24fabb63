import type {
  BillingDetails,
  BillingDetailsResponse,
  ChangePlan,
  ConfirmTestCard,
  PaymentMethod,
  Subscription,
} from '@loci/contract/billing'
import { freePlanId } from '@loci/contract/plans'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const confirmPauseMs = 5_000

export function useSubscription() {
  return useQuery({
    queryKey: queryKeys.subscription(),
    queryFn: () => api.subscription(),
    // The payment is confirmed in another tab.
    refetchInterval: ({ state }) => (state.data?.pendingUpgrade ? confirmPauseMs : false),
  })
}

/** Stripe notifies our server of a finished checkout by webhook, which can arrive after the browser returns. */
const planTriesMax = 10
const planPauseMs = 1_000

/** True once the plan of a finished checkout is active; polls for a while until then. */
export function usePlanHasCome(awaited: boolean): boolean {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: queryKeys.subscription(),
    queryFn: () => api.subscription(),
    enabled: awaited,
    refetchInterval: ({ state }) =>
      state.data?.plan === freePlanId && state.dataUpdateCount < planTriesMax && planPauseMs,
  })
  const hasCome = data !== undefined && data.plan !== freePlanId
  useEffect(() => {
    if (awaited && hasCome) void client.invalidateQueries({ queryKey: queryKeys.analytics() })
  }, [client, awaited, hasCome])
  return hasCome
}

export function usePlans() {
  return useQuery({ queryKey: queryKeys.plans(), queryFn: async () => (await api.listPlans()).plans })
}

export function usePaymentMethods() {
  return useQuery({
    queryKey: queryKeys.paymentMethods(),
    queryFn: async () => (await api.listPaymentMethods()).paymentMethods,
  })
}

export function useInvoices() {
  return useQuery({
    queryKey: queryKeys.invoices(),
    queryFn: async () => (await api.listInvoices()).invoices,
  })
}

export function useBillingDetails() {
  return useQuery({ queryKey: queryKeys.billingDetails(), queryFn: () => api.billingDetails() })
}

export function useUpdateBillingDetails() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BillingDetails) => api.updateBillingDetails({ body }),
    onSuccess: (details) => client.setQueryData<BillingDetailsResponse>(queryKeys.billingDetails(), details),
  })
}

export function useOpenPortal() {
  return useMutation({ mutationFn: () => api.openBillingPortal({ body: {} }) })
}

/** A setup intent for adding one card: a new one each time the form opens. */
export function useSetupIntent() {
  return useQuery({
    queryKey: queryKeys.setupIntent(),
    queryFn: () => api.createSetupIntent({ body: {} }),
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  })
}

export function useConfirmTestCard() {
  return useMutation({ mutationFn: (body: ConfirmTestCard) => api.confirmTestCard({ body }) })
}

/** Refetches all billing data and the limits that depend on it. */
export function useRenewBilling() {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: queryKeys.billing() })
    void client.invalidateQueries({ queryKey: queryKeys.analytics() })
  }
}

/** The current time of the billing clock, seconds since 1970. */
export function useTestClock() {
  return useQuery({
    queryKey: queryKeys.testClock(),
    queryFn: async () => (await api.moveTestClock({ body: { advanceBySeconds: 0 } })).now,
  })
}

export function useMoveTestClock() {
  const renew = useRenewBilling()
  return useMutation({
    mutationFn: (advanceBySeconds: number) => api.moveTestClock({ body: { advanceBySeconds } }),
    onSuccess: renew,
  })
}

export function useSetDefaultCard() {
  const client = useQueryClient()
  const renew = useRenewBilling()
  return useMutation({
    mutationFn: (id: string) => api.setDefaultPaymentMethod({ params: { id }, body: {} }),
    onSuccess: ({ paymentMethods }) => {
      client.setQueryData<PaymentMethod[]>(queryKeys.paymentMethods(), paymentMethods)
      renew()
    },
  })
}

export function useRemoveCard() {
  const renew = useRenewBilling()
  return useMutation({
    mutationFn: (id: string) => api.deletePaymentMethod({ params: { id } }),
    onSuccess: renew,
  })
}

export function useChangePlan() {
  return useSubscriptionChange((body: ChangePlan) => api.changePlan({ body }))
}

/** The cost of a change of plan. Never cached: the amounts are valid for an hour. */
export function usePreviewChange() {
  return useMutation({ mutationFn: (planId: string) => api.previewChange({ body: { planId } }) })
}

export function useCancelSubscription() {
  return useSubscriptionChange(() => api.cancelSubscription({ body: { immediate: false } }))
}

export function useReactivateSubscription() {
  return useSubscriptionChange(() => api.reactivateSubscription({ body: {} }))
}

function useSubscriptionChange<Input = void>(mutationFn: (input: Input) => Promise<Subscription>) {
  const client = useQueryClient()
  const renew = useRenewBilling()
  return useMutation({
    mutationFn,
    onSuccess: (subscription) => {
      client.setQueryData<Subscription>(queryKeys.subscription(), subscription)
      renew()
    },
  })
}
