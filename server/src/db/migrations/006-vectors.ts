import type { Dialect } from '../dialect.ts'

/** Vectors of passages, by the embedder that made them, and how far it has come in each space. */
export const vectors = {
  name: '006-vectors',
  statements: ({ vectors, sql: { integer, text, strict } }: Dialect) => [
    `create table embedders (
      number ${integer} primary key, identity ${text} not null unique, dimensions ${integer}, is_native ${integer} not null,
      failure ${text}, failed_at ${integer}
    )${strict}`,
    `create table leases (name ${text} primary key, holder ${text} not null, expires_at ${integer} not null)${strict}`,
    `create table vector_spaces (
      account_id ${text} not null, space_id ${text} not null, embedder ${integer} not null, embedded_to ${integer} not null,
      primary key (account_id, space_id, embedder),
      foreign key (account_id, space_id) references spaces (account_id, id) on delete cascade
    )${strict}`,
    `create table vectors (
      space_number ${integer} not null, passage_id ${integer} not null, embedder ${integer} not null,
      vector ${vectors.sql.bytes},
      primary key (space_number, passage_id, embedder),
      foreign key (space_number, passage_id) references passages (space_number, id) on delete cascade
    )${strict}`,
  ],
} as const
