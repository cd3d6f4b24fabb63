// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { serve } from '../../../test/server-double.ts'
import { WeeklyMail } from './weekly-mail.tsx'

const off = { isOn: false, tellsWaiting: false, isPossible: true, nextAt: null }
const on = { isOn: true, tellsWaiting: false, isPossible: true, nextAt: '2126-12-02T07:00:00.000Z' }

test('is off until it is asked for, and then says when the next one comes', async () => {
  const server = serve({ getBriefMail: { mail: off }, setBriefMail: { mail: on } })
  const { user } = await show(<WeeklyMail />)
  const box = await screen.findByLabelText<HTMLInputElement>(/Mail me every Monday what happened/)
  await waitFor(() => expect(box.disabled).toBe(false))
  expect(box.checked).toBe(false)
  await user.click(box)
  expect(server.callsOf('setBriefMail')[0]!.body).toEqual({ isOn: true })
  await waitFor(() => expect(box.checked).toBe(true))
  expect(screen.getByText(/The next one comes on/)).toBeTruthy()
})

test('says today on the day it comes', async () => {
  serve({ getBriefMail: { mail: { ...on, nextAt: new Date().toISOString() } } })
  await show(<WeeklyMail />)
  expect(await screen.findByText(/^The next one comes today, /)).toBeTruthy()
})

test('tells what waits, to who may decide', async () => {
  const server = serve({ getBriefMail: { mail: on }, setBriefMail: { mail: { ...on, tellsWaiting: true } } })
  const { user } = await show(<WeeklyMail />)
  const box = await screen.findByLabelText<HTMLInputElement>(/what waits for my decision/)
  await waitFor(() => expect(box.disabled).toBe(false))
  await user.click(box)
  expect(server.callsOf('setBriefMail')[0]!.body).toEqual({ tellsWaiting: true })
  await waitFor(() => expect(box.checked).toBe(true))
})

test('says nothing of decisions to who reads only', async () => {
  serve({ getBriefMail: { mail: on } })
  await show(<WeeklyMail />, { as: personAs('viewer') })
  expect(await screen.findByLabelText(/what happened/)).toBeTruthy()
  expect(screen.queryByLabelText(/what waits/)).toBeNull()
})

test('cannot be turned on where no mail can reach the person', async () => {
  serve({ getBriefMail: { mail: { ...off, isPossible: false } } })
  await show(<WeeklyMail />)
  const box = screen.getByLabelText<HTMLInputElement>(/Mail me every Monday what happened/)
  expect(await screen.findByText(/sends no mail|Confirm your email/)).toBeTruthy()
  expect(box.disabled).toBe(true)
})
