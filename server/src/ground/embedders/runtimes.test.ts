import { expect, test } from 'vitest'
import { reasonOf, runtimesHere } from './runtimes.ts'

test('every package of a runtime is pinned to a checksum and one version', () => {
  for (const { lock, library } of runtimesHere()) {
    const { '': root, ...packages } = lock.packages
    expect(Object.keys(root.dependencies)).toContain(library)
    for (const version of Object.values(root.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    for (const [name, { integrity }] of Object.entries(packages))
      expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha512-/)])
  }
})

test.each([
  [
    'npm error code ENOSPC\nnpm error nospc There appears to be insufficient space',
    'The disk of /data is full',
  ],
  ['npm error code ENOTFOUND\nnpm error network request failed', 'cannot be reached (ENOTFOUND)'],
  ['npm error code EINTEGRITY\nnpm error sha512-a', 'whose checksum is not the one'],
  [
    'npm error code E404\nnpm error 404 Not Found - GET /x',
    'npm could not install what runs the model: 404 Not Found',
  ],
])('of %j people are told why', (said, told) => {
  expect(reasonOf(said, '/data')).toContain(told)
})
