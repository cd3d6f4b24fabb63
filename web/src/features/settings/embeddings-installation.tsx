import type { EmbeddingsInstallation as Installation } from '@loci/contract/embeddings'
import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { messageOf } from '../../lib/errors.ts'
import { notifyError } from '../../lib/notify.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Meter } from '../../ui/meter.tsx'
import { useChooseEmbeddings, useStopInstallation } from './embeddings.queries.ts'

const toMegabytes = (bytes: number) => Math.round(bytes / 1_000_000)

/** The progress of a model's download, or why it failed. */
export function EmbeddingsInstallation({ installation }: { installation: Installation }) {
  const { model, failure } = installation
  const stop = useStopInstallation()
  const choose = useChooseEmbeddings()
  const tell = (error: unknown) => notifyError('Failed', messageOf(error, ''))
  const cancel = () => stop.mutate(undefined, { onError: tell })
  if (failure === null) {
    return (
      <Stack gap="sm">
        <Step installation={installation} />
        <Group justify="flex-end">
          <Button variant="default" size="xs" loading={stop.isPending} onClick={cancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    )
  }
  return (
    <Stack gap="sm">
      <ErrorAlert
        message={<span style={{ overflowWrap: 'anywhere' }}>{failure}</span>}
        onRetry={() => choose.mutate({ provider: 'local', model }, { onError: tell })}
      />
      <Group justify="flex-end">
        <Button variant="subtle" size="xs" loading={stop.isPending} onClick={cancel}>
          Choose something else
        </Button>
      </Group>
    </Stack>
  )
}

function Step({ installation: { step, model, bytes, bytesDone } }: { installation: Installation }) {
  if (step === 'model') {
    return (
      <Meter
        label={`Downloading ${model}`}
        value={`${toMegabytes(bytesDone)} of ${toMegabytes(bytes)} MB`}
        percent={bytes === 0 ? 0 : (bytesDone / bytes) * 100}
      />
    )
  }
  return (
    <Group gap="xs" role="status" wrap="nowrap">
      <Loader size="xs" />
      <Text size="sm">
        {step === 'runtime'
          ? `Downloaded ${model}. Installing its runtime, which takes a minute or two...`
          : `Testing ${model}...`}
      </Text>
    </Group>
  )
}
