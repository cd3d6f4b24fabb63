import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { headOfRendering, renderedPath, renderings } from './chart.ts'
import { listNotRun, listUnknown } from './declared.ts'
import './steps/all.ts'

test('every block, command and file that operators are told to run is run by `npm run test:operations`', () => {
  expect(listUnknown()).toEqual([])
  for (const { reason } of listNotRun()) expect(reason).not.toBe('')
})

test('the kept renderings are of the chart as it is', () => {
  for (const name of renderings)
    expect(readFileSync(renderedPath(name), 'utf8').startsWith(headOfRendering()), name).toBe(true)
})
