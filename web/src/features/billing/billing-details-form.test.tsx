// @vitest-environment jsdom
import type { BillingDetailsResponse } from '@loci/contract/billing'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { catchRedirects } from '../../../test/browser.ts'
import { button, field } from '../../../test/find.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { hasUnsaved } from '../../lib/unsaved.ts'
import { BillingDetailsPanel } from './billing-details-form.tsx'

const details: BillingDetailsResponse = {
  name: 'Analytical Engines Ltd',
  line1: '12 St James’s Square',
  line2: '',
  city: 'London',
  region: '',
  postalCode: 'SW1Y 4JH',
  country: 'GB',
  taxId: '',
  editable: true,
}
const { editable: _, ...stored } = details

test('changed details are sent in full, and what the server stored is shown', async () => {
  const server = serve({ updateBillingDetails: { ...details, taxId: 'GB123456789', country: 'DE' } })
  const { user } = await show(<BillingDetailsPanel details={details} />)
  expect(button('Save Billing Details').disabled).toBe(true)
  await user.type(field('Tax number'), 'gb 123456789')
  await user.click(screen.getByRole('combobox', { name: 'Country' }))
  await user.clear(screen.getByRole('combobox', { name: 'Country' }))
  await user.type(screen.getByRole('combobox', { name: 'Country' }), 'Germ')
  await user.click(await screen.findByRole('option', { name: 'Germany' }))
  expect(hasUnsaved()).toBe(true)
  await user.click(button('Save Billing Details'))
  expect(await screen.findByText('Billing details updated')).toBeTruthy()
  expect(server.callsOf('updateBillingDetails').map(({ body }) => body)).toEqual([
    { ...stored, taxId: 'gb 123456789', country: 'DE' },
  ])
  expect(field('Tax number').value).toBe('GB123456789')
})

test('a country can be removed', async () => {
  const server = serve({ updateBillingDetails: { ...details, country: '' } })
  const { user } = await show(<BillingDetailsPanel details={details} />)
  await user.click(screen.getByLabelText('Clear country'))
  await user.click(button('Save Billing Details'))
  expect(await screen.findByText('Billing details updated')).toBeTruthy()
  expect(server.callsOf('updateBillingDetails')[0]?.body).toMatchObject({ country: '' })
})

test('a refused value is reported at its field and stays typed', async () => {
  serve({
    updateBillingDetails: new Refusal('validation_failed', 'Invalid input', [
      { path: 'taxId', message: 'This is no tax number of the United Kingdom' },
    ]),
  })
  const { user } = await show(<BillingDetailsPanel details={details} />)
  await user.type(field('Tax number'), 'nonsense')
  await user.click(button('Save Billing Details'))
  expect(await screen.findByText('This is no tax number of the United Kingdom')).toBeTruthy()
  expect(field('Tax number').getAttribute('aria-invalid')).toBe('true')
  expect(field('Tax number').value).toBe('nonsense')
  expect(hasUnsaved()).toBe(true)
})

test('details kept by Stripe are changed in its portal', async () => {
  const redirects = catchRedirects()
  const server = serve({ openBillingPortal: new Refusal('billing_unavailable', 'Stripe does not answer') })
  const { user } = await show(<BillingDetailsPanel details={{ ...details, editable: false }} />)
  expect(screen.queryByLabelText('Tax number')).toBeNull()
  await user.click(button('Open Customer Portal'))
  expect(await screen.findByText('Stripe does not answer')).toBeTruthy()
  expect(redirects).toEqual([])
  server.answer({ openBillingPortal: { url: 'https://billing.stripe.example/p' } })
  await user.click(button('Open Customer Portal'))
  await waitFor(() => expect(redirects).toEqual(['https://billing.stripe.example/p']))
})
