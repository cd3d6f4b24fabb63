import type { EmbeddingsStatus } from '@loci/contract/embeddings'
import { Code, Skeleton, Stack, Text } from '@mantine/core'
import { formatNumber } from '../../lib/format.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Meter } from '../../ui/meter.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { useEmbeddings } from './settings.queries.ts'

/** Whether search knows what is meant, beside which words are used. */
export function EmbeddingsPanel() {
  return (
    <Loaded query={useEmbeddings()} failure="Failed to load its state" waiting={<Skeleton height={40} />}>
      {(status) => (status.state === 'off' ? <HowToTurnOn /> : <Progress status={status} />)}
    </Loaded>
  )
}

function HowToTurnOn() {
  return (
    <Text size="sm" c="dimmed">
      Off. Search matches words. To also search by meaning, start the server with{' '}
      <Code>LOCI_EMBEDDINGS_URL</Code> and <Code>LOCI_EMBEDDINGS_MODEL</Code>, for example those of Ollama.
    </Text>
  )
}

function Progress({ status }: { status: EmbeddingsStatus }) {
  const { model, embedded, waiting, failure } = status
  const total = embedded + waiting
  return (
    <Stack gap="sm">
      <Meter
        label={labelOf(status)}
        value={`${formatNumber(embedded)} of ${formatNumber(total)} texts`}
        percent={total === 0 ? 100 : (embedded / total) * 100}
      />
      {failure === null ? (
        <Text size="sm" c="dimmed">
          Model {model}
        </Text>
      ) : (
        <Text size="sm" c="var(--mantine-color-error)">
          {failure.message} (<TimeText iso={failure.at} inline />
          ). Until it answers, search matches words only.
        </Text>
      )}
    </Stack>
  )
}

function labelOf({ state }: EmbeddingsStatus): string {
  if (state === 'unreachable') return 'Unreachable'
  return state === 'catching_up' ? 'Catching up' : 'Ready'
}
