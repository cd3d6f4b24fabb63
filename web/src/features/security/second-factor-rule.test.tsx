// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { SecondFactorRule } from './second-factor-rule.tsx'

const rule = () => screen.getByRole<HTMLInputElement>('switch', { name: /Every member needs/ })

test.each(['admin', 'member', 'viewer'] as const)('a %s does not decide it', async (role) => {
  serve({})
  await show(<SecondFactorRule />, { as: personAs(role, { secondFactor: true }) })
  expect(screen.queryByRole('switch')).toBeNull()
})

test('an owner without a second factor cannot require one', async () => {
  serve({})
  await show(<SecondFactorRule />)
  expect(rule().disabled).toBe(true)
  expect(screen.getByText('Set up a second factor of your own first.')).toBeTruthy()
})

test('an owner requires a second factor of every member, and stops requiring it', async () => {
  const owner = personAs('owner', { secondFactor: true })
  let required = false
  const server = serve({
    setSecondFactorRule: ({ body }) => {
      required = (body as { required: boolean }).required
      return { required }
    },
    secondFactors: { totp: null, passkeys: [], recoveryCodes: 0 },
    me: () => ({ ...owner, secondFactorRequired: required }),
  })
  const { user } = await show(<SecondFactorRule />, { as: owner })
  await user.click(rule())
  await waitFor(() => expect(rule().checked).toBe(true))
  await waitFor(() => expect(rule().disabled).toBe(false))
  await user.click(rule())
  await waitFor(() => expect(rule().checked).toBe(false))
  expect(server.callsOf('setSecondFactorRule').map(({ body }) => body)).toEqual([
    { required: true },
    { required: false },
  ])
})

test('a rule that could not be changed stays as it was, with the reason', async () => {
  serve({ setSecondFactorRule: new Refusal('owner_required', 'Only owners decide this') })
  const { user } = await show(<SecondFactorRule />, { as: personAs('owner', { secondFactor: true }) })
  await user.click(rule())
  expect(await screen.findByText('Only owners decide this')).toBeTruthy()
  expect(rule().checked).toBe(false)
  await waitFor(() => expect(rule().disabled).toBe(false))
})
