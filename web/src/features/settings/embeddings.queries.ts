import type { ChooseEmbeddings, EmbeddingsChoice } from '@loci/contract/embeddings'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useMay } from '../../lib/rights.ts'

const progressPollMs = 3_000
const restPollMs = 30_000
const installationPollMs = 1_000

/** The progress of semantic search; polls often while vectors are being computed. */
export function useEmbeddings() {
  return useQuery({
    queryKey: queryKeys.embeddings(),
    queryFn: () => api.embeddingsStatus(),
    refetchInterval: ({ state: { data } }) => {
      if (data?.state === 'off' || data?.state === 'built_in') return false
      return data?.state === 'catching_up' ? progressPollMs : restPollMs
    },
  })
}

/** True while something is being downloaded or tested. */
export const isInstalling = (choice: EmbeddingsChoice | undefined): boolean =>
  choice?.installation != null && choice.installation.failure === null

/** The owner's choice of how to compute vectors; polls every second while a model is being installed. */
export function useEmbeddingsChoice() {
  const client = useQueryClient()
  const mayChoose = useMay('account:manage')
  return useQuery({
    queryKey: queryKeys.embeddingsChoice(),
    queryFn: async () => {
      const before = client.getQueryData<EmbeddingsChoice>(queryKeys.embeddingsChoice())
      const choice = await api.getEmbeddingsChoice()
      if (isInstalling(before) && !isInstalling(choice)) {
        void client.invalidateQueries({ queryKey: queryKeys.embeddings() })
      }
      return choice
    },
    enabled: mayChoose,
    refetchInterval: ({ state: { data } }) => isInstalling(data) && installationPollMs,
  })
}

/** Caches the response as the current choice, and refetches the progress of the vectors. */
function useChange<Input>(change: (input: Input) => Promise<EmbeddingsChoice>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (choice) => {
      client.setQueryData(queryKeys.embeddingsChoice(), choice)
      void client.invalidateQueries({ queryKey: queryKeys.embeddings() })
    },
  })
}

export const useChooseEmbeddings = () => useChange((body: ChooseEmbeddings) => api.chooseEmbeddings({ body }))

export const useStopInstallation = () => useChange((_: undefined) => api.stopEmbeddingsInstallation())

export const useTurnOffEmbeddings = () => useChange((_: undefined) => api.turnOffEmbeddings())
