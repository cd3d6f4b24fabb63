import type { Migration } from '../migration.ts'

/** The accounts of a person in their own row, since members are stored by account. */
export const accountsOfUsers: Migration = {
  name: '059-accounts-of-users',
  endsOlder: 'the accounts of a person are kept in their row, which older versions do not do',
  statements: ({ sql: { text } }) => [
    `alter table users add column account_ids ${text} not null default '[]'`,
    `with of_users as (
      select user_id, '[' || string_agg(cast(account_id as text), ',' order by account_id) || ']' as account_ids from members group by user_id
    ) update users set account_ids = of_users.account_ids from of_users where of_users.user_id = users.id`,
    `drop index members_by_user`,
  ],
}
