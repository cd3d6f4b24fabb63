/** A bell: `ring` wakes all who wait. Carries nothing; those who wake look for themselves. */
export type WakeUp = { ring: () => void; listen: (listener: () => void) => () => void }

/** Makes a bell that nobody listens to yet. */
export function createWakeUp(): WakeUp {
  const listeners = new Set<() => void>()
  return {
    ring() {
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
