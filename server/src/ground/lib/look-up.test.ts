import { expect, test } from 'vitest'
import { AddressRefused, createLookUp } from './look-up.ts'

type Found = { address: string; family: number }

function lookUp(addresses: string[], options: { all?: boolean; family?: number }) {
  const look = createLookUp(false, async () => addresses)
  return new Promise<Found | Found[]>((resolve, reject) => {
    look('x.example', options, (error, address, family) => {
      if (error) reject(error)
      else resolve(typeof address === 'string' ? { address, family: family! } : address)
    })
  })
}

const mixed = ['10.0.0.1', '93.184.215.14', '::1', '2606:2800:21f::1', '169.254.169.254']

test('only public addresses of a name are connected to', async () => {
  expect(await lookUp(mixed, { all: true })).toEqual([
    { address: '93.184.215.14', family: 4 },
    { address: '2606:2800:21f::1', family: 6 },
  ])
  expect(await lookUp(mixed, {})).toEqual({ address: '93.184.215.14', family: 4 })
})

test('the requested address family is respected', async () => {
  expect(await lookUp(mixed, { family: 6 })).toEqual({ address: '2606:2800:21f::1', family: 6 })
  await expect(lookUp(['93.184.215.14'], { family: 6 })).rejects.toThrow(AddressRefused)
})

test('a name with only private addresses is refused', async () => {
  await expect(lookUp(['127.0.0.1', '::ffff:10.0.0.1', 'fd00::1'], { all: true })).rejects.toThrow(
    'x.example has no public address',
  )
})

test('an error of the name server reaches the connection', async () => {
  const failing = createLookUp(false, async () => {
    throw Object.assign(new Error('No address'), { code: 'ENOTFOUND' })
  })
  const code = await new Promise((resolve) => failing('x', { all: true }, (error) => resolve(error?.code)))
  expect(code).toBe('ENOTFOUND')
})
