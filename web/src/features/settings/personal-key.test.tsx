// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { button, dialogNamed } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { useUser } from '../../lib/session.ts'
import { PersonalKey } from './personal-key.tsx'

const whole = 'loci_AbCdEfGhIjKlMnOp9fK2'
const owner = personAs('owner', { apiKey: whole })

/** As in the app, where the panel shows the key of the session. */
function Panel() {
  const user = useUser()
  return user ? <PersonalKey apiKey={user.apiKey} isWithheld={user.apiKeyWithheld} /> : null
}

test('the key is hidden until it is revealed, and copied in full either way', async () => {
  serve({})
  const { user } = await show(<Panel />, { as: owner })
  expect(screen.getByText('loci_A…9fK2')).toBeTruthy()
  expect(screen.queryByText(whole)).toBeNull()
  await user.click(button('Copy key'))
  expect(await navigator.clipboard.readText()).toBe(whole)
  await user.click(button('Reveal key'))
  expect(screen.getByText(whole)).toBeTruthy()
  await user.click(button('Hide key'))
  expect(screen.queryByText(whole)).toBeNull()
})

test('the key is rolled only after a question, and the new one replaces it', async () => {
  const server = serve({ rollPersonalKey: { apiKey: 'loci_ZyXwVuTsRqPoNmLk0001' } })
  const { user } = await show(<Panel />, { as: owner })
  await user.click(button('Roll'))
  const question = await dialogNamed('Roll Personal API Key')
  expect(question.getByText(/lose access until you give them the new one/)).toBeTruthy()
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  expect(server.calls).toEqual([])
  await user.click(button('Roll'))
  await user.click((await dialogNamed('Roll Personal API Key')).getByRole('button', { name: 'Roll Key' }))
  expect(await screen.findByText('loci_Z…0001')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a key that could not be rolled stays, with the reason', async () => {
  serve({ rollPersonalKey: new Refusal('rate_limited', 'Too many keys') })
  const { user } = await show(<Panel />, { as: owner })
  await user.click(button('Roll'))
  await user.click((await dialogNamed('Roll Personal API Key')).getByRole('button', { name: 'Roll Key' }))
  expect(await screen.findByText('Too many keys')).toBeTruthy()
  expect(screen.getByText('loci_A…9fK2')).toBeTruthy()
})

test('a key whose secret is lost can be rolled but not shown', async () => {
  serve({})
  await show(<PersonalKey apiKey={null} isWithheld={false} />)
  expect(screen.getByText(/Your key cannot be shown/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Copy key' })).toBeNull()
  expect(button('Roll')).toBeTruthy()
})

test('a withheld key links to the second factor that it needs', async () => {
  serve({})
  await show(<PersonalKey apiKey={null} isWithheld />)
  expect(screen.getByRole('link', { name: 'set up a second factor' }).getAttribute('href')).toBe('#security')
  expect(screen.queryByRole('button')).toBeNull()
})
