import { expect, test } from 'vitest'
import { listNotRun, listUnknown } from './declared.ts'
import './steps/all.ts'

test('every block, command and file that operators are told to run is run by `npm run test:operations`', () => {
  expect(listUnknown()).toEqual([])
  for (const { reason } of listNotRun()) expect(reason).not.toBe('')
})
