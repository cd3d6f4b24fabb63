import type { Dialect } from '../dialect.ts'

/** Second factors, which accounts require them, and the network where sessions began. */
export const secondFactors = {
  name: '015-second-factors',
  statements: ({ sql: { integer, text, clustered } }: Dialect): readonly string[] => [
    `alter table users add column second_factor_at ${integer}`,
    `alter table users add column totp_secret ${text}`,
    `alter table users add column totp_since ${integer}`,
    `alter table users add column totp_step ${integer}`,
    `alter table accounts add column second_factor_required ${integer} not null default 0`,
    `alter table sessions add column network ${text}`,
    `create table recovery_codes (
      user_id ${text} not null, hash ${text} not null,
      primary key (user_id, hash)
    )${clustered}`,
    `create table passkeys (
      user_id ${text} not null, id ${text} not null, credential_id ${text} not null unique, name ${text} not null,
      public_key ${text} not null, counter ${integer} not null, transports ${text} not null,
      backed_up ${integer} not null, created_at ${integer} not null, last_used_at ${integer},
      primary key (user_id, id)
    )${clustered}`,
    `create table used_challenges (
      hash ${text} not null primary key, expires_at ${integer} not null
    )${clustered}`,
    `create index used_challenges_by_end on used_challenges (expires_at)`,
  ],
}
