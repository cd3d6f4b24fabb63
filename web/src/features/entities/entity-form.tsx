import { entityNameMax } from '@loci/contract/entities'
import { entityTypeMax, knownEntityTypes } from '@loci/contract/entity-types'
import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useEntityTypes } from '../../lib/entity-types.ts'
import { useKeepDraft } from '../../lib/kept-drafts.ts'
import { isChanged, useUnsaved } from '../../lib/unsaved.ts'
import { useFocusInvalid } from '../../ui/use-focus-invalid.ts'
import {
  customTypeOption,
  type EntityFormErrors,
  type EntityFormValues,
  type EntityInput,
  toInput,
  validateEntity,
} from './entity-form.rules.ts'
import { ObservationBoxes } from './observation-boxes.tsx'

type EntityFormProps = {
  initial: EntityFormValues
  /** What the form held when the session ended, in place of the initial values. */
  draft?: EntityFormValues | undefined
  /** The name under which to keep it. */
  draftName?: string | undefined
  submitLabel: string
  pending: boolean
  autoFocus?: boolean | undefined
  /** The server's errors for single fields. */
  serverErrors: EntityFormErrors
  /** Shown above the buttons: a conflict, a limit. */
  notice?: ReactNode
  onSubmit: (input: EntityInput) => void
  onCancel: () => void
}

export function EntityForm({ initial, serverErrors, notice, ...props }: EntityFormProps) {
  const [values, setValues] = useState(props.draft ?? initial)
  const [ownErrors, setOwnErrors] = useState<EntityFormErrors>({})
  const { data: types = [] } = useEntityTypes()
  const changed = isChanged(values, initial)
  useUnsaved(changed, props.pending)
  useKeepDraft(props.draftName, values, changed)
  const errors = { ...serverErrors, ...ownErrors }
  const form = useRef<HTMLFormElement>(null)
  useFocusInvalid(form, ownErrors)
  useFocusInvalid(form, Object.values(serverErrors).join(' '))
  const offered = [
    ...new Set([...types.map(({ type }) => type), ...knownEntityTypes, ...known(initial.type)]),
  ]

  function change(part: Partial<EntityFormValues>) {
    setOwnErrors({})
    setValues((previous) => ({ ...previous, ...part }))
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const found = validateEntity(values)
    setOwnErrors(found)
    if (Object.keys(found).length === 0) props.onSubmit(toInput(values))
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          withAsterisk
          data-autofocus
          autoFocus={props.autoFocus}
          dir="auto"
          maxLength={entityNameMax}
          value={values.name}
          error={errors.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Select
          label="Type"
          withAsterisk
          searchable
          placeholder="Select a type"
          data={[...offered, customTypeOption]}
          value={values.type || null}
          error={values.type === customTypeOption ? undefined : errors.type}
          onChange={(type) => change({ type: type ?? '' })}
        />
        {values.type === customTypeOption && (
          <TextInput
            label="Custom type"
            placeholder="e.g. research paper"
            maxLength={entityTypeMax}
            value={values.customType}
            error={errors.type}
            onChange={(event) => change({ customType: event.currentTarget.value })}
          />
        )}
        <Textarea
          label="Metadata"
          description="A JSON object; leave empty for none"
          placeholder={'{"source": "interview"}'}
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          classNames={{ input: 'loci-mono' }}
          value={values.metadata}
          error={errors.metadata}
          onChange={(event) => change({ metadata: event.currentTarget.value })}
        />
        <ObservationBoxes
          boxes={values.observations}
          error={errors.observations}
          onChange={(observations) => change({ observations })}
        />
        {notice}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={props.pending}>
            {props.submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function known(type: string): string[] {
  return type === '' ? [] : [type]
}
