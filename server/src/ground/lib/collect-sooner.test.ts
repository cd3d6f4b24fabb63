import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Keeps some objects, replaces them again and again, and prints the largest size of the heap in megabytes. */
const work = `
  const kept = []
  let largest = 0
  for (let i = 0; i < 2_000_000; i += 1) {
    kept[i % 200_000] = { text: 'text ' + i, numbers: [i, i + 1, i + 2] }
    if (i % 10_000 === 0) largest = Math.max(largest, process.memoryUsage().heapTotal)
  }
  console.log(largest / 2 ** 20)`

function largestHeap(before: string): number {
  const parameters = ['--input-type=module', '-e', before + work]
  return Number(execFileSync(process.execPath, parameters, { encoding: 'utf8' }))
}

test('a process that collects sooner has a smaller heap', () => {
  const module = new URL('./collect-sooner.ts', import.meta.url).href
  const sooner = largestHeap(`import { collectSooner } from '${module}'; collectSooner();`)
  expect(sooner).toBeLessThan(0.8 * largestHeap(''))
})
