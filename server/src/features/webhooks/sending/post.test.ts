import { expect, test } from 'vitest'
import { startReceiver } from '../../../../test/webhook-receiver.ts'
import { createPoster } from './post.ts'

const seriesTo = (url: string, ids: readonly string[]) => ({
  url,
  secrets: ['whsec_c2VjcmV0'],
  events: ids.map((id) => ({ id, body: '{}' })),
  at: 0,
  msMax: 60_000,
})

test('requests give way to running calls, but are sent even if calls never pause', async () => {
  const receiver = await startReceiver()
  const posters = [1, 0].map((running) =>
    createPoster({ allowsPrivate: true, callsRunning: Int32Array.of(running) }),
  )
  const { signal } = new AbortController()
  const series = [['beside calls 1', 'beside calls 2'], ['between calls']]
  const posted = await Promise.all(
    posters.map((poster, i) => poster.post(seriesTo(receiver.url, series[i]!), signal)),
  )
  expect(posted.flat().map(({ statusCode }) => statusCode)).toEqual([204, 204, 204])
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
    'between calls',
    'beside calls 1',
    'beside calls 2',
  ])
  for (const poster of posters) poster.close()
  await receiver.close()
})
