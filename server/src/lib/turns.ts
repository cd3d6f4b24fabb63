import { setImmediate as nextTurn } from 'node:timers/promises'

const turnMsMax = 5
let turnBegan: number | undefined

/** To be awaited now and then by what computes for long: lets others have their turn when this one has lasted 5 ms. */
export function breathe(): Promise<void> | undefined {
  if (turnBegan === undefined) {
    turnBegan = performance.now()
    setImmediate(() => {
      turnBegan = undefined
    })
    return undefined
  }
  return performance.now() - turnBegan < turnMsMax ? undefined : nextTurn()
}
