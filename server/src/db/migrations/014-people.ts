import type { Dialect } from '../dialect.ts'

/** Whether an email address was confirmed. */
export const people = {
  name: '014-people',
  statements: ({ sql: { integer } }: Dialect): readonly string[] => [
    `alter table users add column email_verified_at ${integer}`,
  ],
}
