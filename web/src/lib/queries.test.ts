import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { Queries } from './queries.ts'

function show(answers: readonly Promise<string>[]) {
  const client = new Queries()
  let asked = 0
  const options = {
    queryKey: ['rows'],
    queryFn: () => answers[asked++]!,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  }
  const observer = new QueryObserver(client, options)
  const seen: unknown[] = []
  const stop = observer.subscribe(({ data }) => data !== undefined && seen.at(-1) !== data && seen.push(data))
  return { client, seen, stop, askedTimes: () => asked }
}

test('a first answer that was on its way when something changed is shown, and asked for again once', async () => {
  const first = Promise.withResolvers<string>()
  const { client, seen, stop, askedTimes } = show([first.promise, Promise.resolve('new')])
  void client.invalidateQueries({ queryKey: ['rows'] })
  void client.invalidateQueries({ queryKey: ['rows'] })
  first.resolve('old')
  await expect.poll(() => seen).toEqual(['old', 'new'])
  expect(askedTimes()).toBe(2)
  stop()
})

test('one that nobody shows any more is asked for again when it is shown', async () => {
  const first = Promise.withResolvers<string>()
  const { client, stop } = show([first.promise])
  stop()
  void client.invalidateQueries({ queryKey: ['rows'] })
  first.resolve('old')
  await expect.poll(() => client.getQueryState(['rows'])).toMatchObject({ data: 'old', isInvalidated: true })
})

test('a first request that fails is not repeated', async () => {
  const first = Promise.withResolvers<string>()
  const { client, stop, askedTimes } = show([first.promise])
  void client.invalidateQueries({ queryKey: ['rows'] }).catch(() => {})
  first.reject(new Error('refused'))
  await expect.poll(() => client.getQueryState(['rows'])?.status).toBe('error')
  expect(askedTimes()).toBe(1)
  stop()
})
