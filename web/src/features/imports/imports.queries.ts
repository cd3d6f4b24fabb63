import type { ExportFormat } from '@loci/contract/imports'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { download } from '../../lib/download.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const pollMs = 1_000

/** An import's progress; polls until the import has ended, even while the server is unreachable. */
export function useImportReport(id: string) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: queryKeys.import(id),
    queryFn: async () => (await api.getImport({ params: { id } })).import,
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.state === 'running' ? pollMs : false,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const state = query.data?.state
  useEffect(() => {
    if (state === undefined || state === 'running') return
    // During a large import, lists can be far behind its events.
    for (const queryKey of [
      queryKeys.entities(),
      queryKeys.relations(),
      queryKeys.graph(),
      queryKeys.analytics(),
    ]) {
      void client.invalidateQueries({ queryKey })
    }
  }, [client, state])
  return query
}

const fileNames: Record<ExportFormat, string> = {
  loci: 'loci.jsonl',
  'mcp-memory': 'memory.jsonl',
  markdown: 'loci-notes.zip',
  csv: 'loci-csv.zip',
  graphml: 'loci.graphml',
  'json-ld': 'loci.jsonld',
}

/** Downloads the whole memory as a file; `bytes` is how much has arrived. */
export function useExport() {
  const [bytes, setBytes] = useState(0)
  const mutation = useMutation({
    mutationFn: async (format: ExportFormat) => {
      setBytes(0)
      const { body } = await api.export({ query: { format } })
      const counted = body!.pipeThrough(countBytes((count) => setBytes((now) => now + count)))
      download(await new Response(counted).blob(), fileNames[format])
    },
  })
  return { ...mutation, bytes }
}

function countBytes(
  onBytes: (count: number) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return new TransformStream({
    transform(chunk, controller) {
      onBytes(chunk.byteLength)
      controller.enqueue(chunk)
    },
  })
}
