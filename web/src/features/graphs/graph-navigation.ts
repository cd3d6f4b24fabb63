import type { GraphAddress } from './graph-address.ts'

/** Changes what the address says, by what it says now; the same function as long as the screen is there. */
export type GraphNavigation = (change: (now: GraphAddress) => Partial<GraphAddress>) => void
