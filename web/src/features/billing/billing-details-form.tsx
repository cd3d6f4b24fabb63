import type { BillingDetails, BillingDetailsResponse } from '@loci/contract/billing'
import { countryCodes } from '@loci/contract/countries'
import { Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fieldErrorsOf, messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { isChanged, useUnsaved } from '../../lib/unsaved.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useOpenPortal, useUpdateBillingDetails } from './billing.queries.ts'

const countryNames = new Intl.DisplayNames('en', { type: 'region' })
const countries = countryCodes
  .map((code) => ({ value: code, label: countryNames.of(code) ?? code }))
  .sort((a, b) => a.label.localeCompare(b.label))

/** The payer's details, as printed on invoices. */
export function BillingDetailsPanel({ details }: { details: BillingDetailsResponse }) {
  const { editable, ...values } = details
  return editable ? <BillingDetailsForm initial={values} /> : <PortalLink />
}

function BillingDetailsForm({ initial }: { initial: BillingDetails }) {
  const [values, setValues] = useState(initial)
  const update = useUpdateBillingDetails()
  const problems = fieldErrorsOf(update.error)
  const isUnchanged = !isChanged(values, initial)
  useUnsaved(!isUnchanged, update.isPending)

  const field = (name: keyof BillingDetails) => ({
    value: values[name],
    maxLength: name === 'postalCode' ? 32 : name === 'taxId' ? 64 : 128,
    error: problems[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setValues((before) => ({ ...before, [name]: value }))
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    update.mutate(values, {
      onSuccess: ({ editable, ...saved }) => {
        setValues(saved)
        notifySuccess('Billing details updated')
      },
    })
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {update.error && <ErrorAlert message={messageOf(update.error, 'Failed to update billing details')} />}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput label="Name or company" autoComplete="billing organization" {...field('name')} />
          <TextInput label="Tax number" placeholder="Such as DE123456789" {...field('taxId')} />
          <TextInput label="Address" autoComplete="billing address-line1" {...field('line1')} />
          <TextInput label="Address, second line" autoComplete="billing address-line2" {...field('line2')} />
          <TextInput label="Postal code" autoComplete="billing postal-code" {...field('postalCode')} />
          <TextInput label="City" autoComplete="billing address-level2" {...field('city')} />
          <TextInput label="State or region" autoComplete="billing address-level1" {...field('region')} />
          <Select
            label="Country"
            data={countries}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': 'Clear country' }}
            value={values.country === '' ? null : values.country}
            error={problems.country}
            onChange={(country) => setValues((before) => ({ ...before, country: country ?? '' }))}
          />
        </SimpleGrid>
        <Group justify="flex-end">
          <Button type="submit" loading={update.isPending} disabled={isUnchanged}>
            Save Billing Details
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function PortalLink() {
  const portal = useOpenPortal()

  function open() {
    portal.mutate(undefined, {
      onSuccess: ({ url }) => window.location.assign(url),
      onError: (error) => notifyError('Failed to open the customer portal', messageOf(error, '')),
    })
  }

  return (
    <Stack gap="md" align="flex-start">
      <Text>Stripe keeps your name, address and tax number and prints them on your invoices.</Text>
      <Button variant="default" loading={portal.isPending} onClick={open}>
        Open Customer Portal
      </Button>
    </Stack>
  )
}
