import type { Dialect } from '../dialect.ts'

/**
 * What search stores: the words of all texts, and the postings of passages and of words. Passages are analysed again
 * when they are ranked. The first passage of an observation has the observation's number, an entity's names have the
 * entity's. Further passages, which have rows, and words take numbers from the same counter, so that one index holds
 * the terms of passages and the trigrams of words.
 */
export const search = {
  name: '003-search',
  statements: ({ name, postings, vectors, sql: { integer, text, strict, clustered } }: Dialect) => {
    const bytewise = name === 'sqlite' ? '' : ' collate "C"'
    const tenant = `account_id ${integer} not null, space_id ${integer} not null`
    return [
      `create table passages (
        ${tenant}, id ${integer} not null, observation_id ${integer} not null, part ${integer} not null,
        primary key (account_id, space_id, id)
      )${clustered}`,
      `create index passages_by_observation on passages (account_id, space_id, observation_id, part)`,
      `create table index_marks (
        ${tenant}, id ${integer} not null, ordinal ${integer} not null,
        primary key (account_id, space_id, id)
      )${clustered}`,
      `create table search_words (
        ${tenant}, word ${text}${bytewise} not null, term ${text} not null, id ${integer} not null,
        primary key (account_id, space_id, word)
      )${clustered}`,
      `create unique index search_words_by_id on search_words (account_id, id)`,
      ...postings.statements,
      `create table embedders (
        number ${integer} primary key, identity ${text} not null unique, dimensions ${integer}, is_native ${integer} not null,
        failure ${text}, failed_at ${integer}
      )${strict}`,
      `create table vector_spaces (
        ${tenant}, embedder ${integer} not null, embedded_to ${integer} not null,
        primary key (account_id, space_id, embedder)
      )${clustered}`,
      `create table vector_gaps (
        ${tenant}, passage_id ${integer} not null,
        primary key (account_id, space_id, passage_id)
      )${clustered}`,
      `create table vectors (
        ${tenant}, passage_id ${integer} not null, embedder ${integer} not null, vector ${vectors.sql.bytes},
        primary key (account_id, space_id, passage_id, embedder)
      )${strict}`,
    ]
  },
}
