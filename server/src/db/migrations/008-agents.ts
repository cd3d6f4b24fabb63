import type { Dialect } from '../dialect.ts'

/** Settings show that an agent has called. */
export const agents = {
  name: '008-agents',
  statements: ({ sql: { integer } }: Dialect) => [`alter table accounts add column agent_seen_at ${integer}`],
} as const
