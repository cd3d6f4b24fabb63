import type { DeliveryStatus, UpdateWebhook, Webhook } from '@loci/contract/webhooks'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { pagingOptions } from '../../lib/pages.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const deliveriesPerPage = 50
/** New deliveries are not pushed, so poll. */
const refreshMs = 5_000
/** After a delivery was requested. */
const soonMs = 1_000

export function useWebhooks() {
  return useQuery({
    queryKey: queryKeys.webhookList(),
    queryFn: async () => (await api.listWebhooks()).webhooks,
  })
}

export function useWebhook(id: string) {
  return useQuery({
    queryKey: queryKeys.webhook(id),
    queryFn: async () => (await api.getWebhook({ params: { id } })).webhook,
    refetchInterval: refreshMs,
  })
}

export function useDeliveries(id: string, status: DeliveryStatus | undefined) {
  return useInfiniteQuery({
    queryKey: queryKeys.deliveryList(id, status),
    queryFn: ({ pageParam, signal }) =>
      api.listDeliveries({
        params: { id },
        query: { status, limit: String(deliveriesPerPage), cursor: pageParam },
        signal,
      }),
    ...pagingOptions,
    // Stop once further pages are loaded: the user is looking for something.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : refreshMs),
  })
}

export function useDelivery(id: string, deliveryId: string) {
  return useQuery({
    queryKey: queryKeys.delivery(id, deliveryId),
    queryFn: async () => (await api.getDelivery({ params: { id, deliveryId } })).delivery,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? soonMs : false),
  })
}

/** Invalidates the cached endpoints and their number. */
function useRefresh() {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: queryKeys.webhooks() })
    void client.invalidateQueries({ queryKey: queryKeys.analytics() })
  }
}

export type WebhookInput = Pick<Webhook, 'url' | 'description' | 'events'>

export function useCreateWebhook() {
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: (body: WebhookInput) => api.createWebhook({ body }), onSuccess })
}

export function useUpdateWebhook(id: string) {
  const onSuccess = useRefresh()
  const mutationFn = (body: UpdateWebhook) => api.updateWebhook({ params: { id }, body })
  return useMutation({ mutationFn, onSuccess })
}

export function useDeleteWebhook(id: string) {
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: () => api.deleteWebhook({ params: { id } }), onSuccess })
}

export function useRollSecret(id: string) {
  return useMutation({ mutationFn: () => api.rollWebhookSecret({ params: { id } }) })
}

export function useSendTest(id: string) {
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: () => api.testWebhook({ params: { id } }), onSuccess })
}

export function useRedeliver(id: string) {
  const onSuccess = useRefresh()
  const mutationFn = (deliveryId: string) => api.redeliver({ params: { id, deliveryId } })
  return useMutation({ mutationFn, onSuccess })
}

/** Sends all deliveries again that failed in the last `ms`. */
export function useRedeliverFailed(id: string) {
  const onSuccess = useRefresh()
  const mutationFn = (ms: number) =>
    api.redeliverFailed({ params: { id }, body: { since: new Date(Date.now() - ms).toISOString() } })
  return useMutation({ mutationFn, onSuccess })
}
