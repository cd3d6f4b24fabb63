import type { Dialect } from '../dialect.ts'

/** What the weekly mail tells: what happened, what waits for a decision, or both. */
export const waitingMails = {
  name: '055-waiting-mails',
  statements: ({ sql: { integer } }: Dialect) => [
    `alter table brief_mails add column tells_news ${integer} not null default 1`,
    `alter table brief_mails add column tells_waiting ${integer} not null default 0`,
  ],
} as const
