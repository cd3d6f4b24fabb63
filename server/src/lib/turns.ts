import { setImmediate as nextTurn } from 'node:timers/promises'

/** Short: another call takes several turns to be received, worked out and answered, and waits for as many of these. */
const longWorkMsMax = 1
const callMsMax = 5

let turnBegan: number | undefined

/**
 * To be awaited now and then by what takes long, such as a large write: lets others have their turn when this one has
 * lasted 1 ms.
 */
export function breathe(): Promise<void> | undefined {
  if (turnBegan === undefined) {
    turnBegan = performance.now()
    setImmediate(() => {
      turnBegan = undefined
    })
    return undefined
  }
  return performance.now() - turnBegan < longWorkMsMax ? undefined : nextTurn()
}

/**
 * Makes a `breathe` for one call, which somebody waits for: it lets others have their turn when this call has gone on
 * for 5 ms. A call that gave way more often would wait for a piece of each long work each time.
 */
export function createPace(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => (performance.now() - began < callMsMax ? undefined : rest())

  async function rest(): Promise<void> {
    await nextTurn()
    began = performance.now()
  }
}
