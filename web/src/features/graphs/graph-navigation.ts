import type { GraphAddress } from './graph-address.ts'

/** Updates the address from its current state; the same function for the life of the screen. */
export type GraphNavigation = (change: (now: GraphAddress) => Partial<GraphAddress>) => void
