// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'

/** As a link opens the page: an earlier token is forgotten. */
async function open(hash: string) {
  window.history.replaceState(null, '', `/verify-email${hash}`)
  vi.resetModules()
  const { VerifyEmailPage } = await import('./verify-email-page.tsx')
  await show(<VerifyEmailPage />, { as: 'visitor' })
}

test('without its token, as after a reload, the page says what to do and sends nothing', async () => {
  serve({})
  await open('')
  expect(await screen.findByText('This link is incomplete. Open it from the email again.')).toBeTruthy()
})

test('the link confirms the address', async () => {
  const server = serve({ verifyEmail: undefined })
  await open('#token=abc')
  expect(await screen.findByText('Your email address is confirmed.')).toBeTruthy()
  expect(server.callsOf('verifyEmail').map(({ body }) => body)).toEqual([{ token: 'abc' }])
})

test('a link that is over says so', async () => {
  serve({ verifyEmail: new Refusal('link_not_found', 'This link has expired.') })
  await open('#token=other')
  expect(await screen.findByText('This link has expired.')).toBeTruthy()
})
