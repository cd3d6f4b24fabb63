import type { Dialect } from '../dialect.ts'

/** The MCP tool that made the changes of a set; null for other calls and for sets from before. */
export const tools = {
  name: '019-tools',
  statements: ({ sql: { text } }: Dialect) => [`alter table change_sets add column tool ${text}`],
} as const
