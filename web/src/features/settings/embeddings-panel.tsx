import type { EmbeddingsChoice, EmbeddingsStatus } from '@loci/contract/embeddings'
import { Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Meter } from '../../ui/meter.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { useEmbeddings, useEmbeddingsChoice } from './embeddings.queries.ts'
import { EmbeddingsForm } from './embeddings-form.tsx'
import { EmbeddingsInstallation } from './embeddings-installation.tsx'
import { EmbeddingsOff } from './embeddings-off.tsx'

/** Whether search considers meaning in addition to words; on self-hosted servers, owners choose how. */
export function EmbeddingsPanel() {
  const { data: choice } = useEmbeddingsChoice()
  return (
    <Loaded
      query={useEmbeddings()}
      failure="Failed to load the state of search by meaning"
      waiting={<Skeleton height={40} />}
    >
      {(status) => (
        <Stack gap="md">
          {hasModel(status) && <Progress status={status} choice={choice} />}
          {choice?.isOffered && !choice.isFixed ? (
            <Choice status={status} choice={choice} />
          ) : (
            !hasModel(status) && <HowToAddModel status={status} />
          )}
        </Stack>
      )}
    </Loaded>
  )
}

const hasModel = ({ state }: EmbeddingsStatus) => state !== 'off' && state !== 'built_in'

const withoutModel = ({ state }: EmbeddingsStatus) =>
  state === 'built_in'
    ? 'On for English and nine other languages, without a model: search matches words and compares what they mean.'
    : 'Off. Search matches words.'

function HowToAddModel({ status }: { status: EmbeddingsStatus }) {
  return (
    <Text size="sm" c="dimmed">
      {withoutModel(status)} To compare whole sentences, run <Code>loci embeddings use local</Code> on the
      server.
    </Text>
  )
}

type ChoiceProps = { status: EmbeddingsStatus; choice: EmbeddingsChoice }

/** The installation in progress, otherwise the available choices. */
function Choice({ status, choice }: ChoiceProps) {
  const [isChanging, setIsChanging] = useState(false)
  const { chosen, installation } = choice
  if (installation !== null) return <EmbeddingsInstallation installation={installation} />
  if (chosen === null || isChanging) {
    return (
      <>
        {!hasModel(status) && (
          <Text size="sm" c="dimmed">
            {withoutModel(status)} Choose a model to compare whole sentences, also in other languages.
          </Text>
        )}
        <EmbeddingsForm chosen={chosen} onClose={() => setIsChanging(false)} />
      </>
    )
  }
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" size="xs" onClick={() => setIsChanging(true)}>
        Change
      </Button>
      <EmbeddingsOff isLocal={chosen.provider === 'local'} />
    </Group>
  )
}

function Progress({ status, choice }: { status: EmbeddingsStatus; choice: EmbeddingsChoice | undefined }) {
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
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Model {model}
          {placeOf(choice)}
        </Text>
      ) : (
        <Text size="sm" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
          {failure.message} (<TimeText iso={failure.at} inline />
          ). Until it answers, search matches words only.
        </Text>
      )}
    </Stack>
  )
}

function placeOf(choice: EmbeddingsChoice | undefined): string {
  if (choice?.isFixed) return ', set by environment variables of the server'
  if (choice?.chosen == null) return ''
  return choice.chosen.url === null ? ', on the server itself' : ` at ${choice.chosen.url}`
}

function labelOf({ state }: EmbeddingsStatus): string {
  if (state === 'unreachable') return 'Unreachable'
  return state === 'catching_up' ? 'Catching up' : 'Ready'
}
