import type { Dialect } from '../dialect.ts'

/**
 * What search keeps of the graph: passages as analysed terms, the words they were made of, and the postings of both.
 * Passages and words share the ids of their space, so that one index holds terms of passages and letters of words.
 */
export const search = {
  name: '002-search',
  statements: ({ name, postings, sql: { integer, text, strict } }: Dialect) => {
    const [clustered, bytewise] = name === 'sqlite' ? [`${strict}, without rowid`, ''] : ['', ' collate "C"']
    const space = `foreign key (account_id, space_id) references spaces (account_id, id) on delete cascade`
    return [
      `create table search_spaces (
        account_id ${text} not null, space_id ${text} not null, number ${integer} not null, next_id ${integer} not null,
        passages ${integer} not null, length ${integer} not null, primary key (account_id, space_id), ${space}
      )${strict}`,
      `create index search_spaces_by_number on search_spaces (number)`,
      `create table passages (
        account_id ${text} not null, space_id ${text} not null, id ${integer} not null, row_id ${integer} not null,
        entity_id ${text} not null, observation_id ${text} not null, position ${integer} not null,
        created_at ${integer} not null, length ${integer} not null, terms ${text} not null,
        primary key (account_id, space_id, id), ${space}
      )${strict}`,
      `create index passages_by_entity on passages (account_id, space_id, entity_id, position)`,
      `create index passages_by_observation on passages (account_id, space_id, observation_id)`,
      `create table search_words (
        account_id ${text} not null, space_id ${text} not null, word ${text}${bytewise} not null, term ${text} not null,
        id ${integer} not null, row_id ${integer} not null,
        primary key (account_id, space_id, word), ${space}
      )${clustered}`,
      `create unique index search_words_by_id on search_words (account_id, space_id, id)`,
      ...postings.statements,
    ]
  },
}
