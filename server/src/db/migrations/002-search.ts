import type { Dialect } from '../dialect.ts'

/**
 * What search keeps of the graph: passages as analysed terms, the words they were made of, and the postings of both.
 * A space has a number here, which stands for its account and itself and is never given again. Passages and words share
 * the ids of their space, so that one index holds terms of passages and letters of words.
 */
export const search = {
  name: '002-search',
  statements: ({ name, postings, sql: { integer, text, strict, numbered } }: Dialect) => {
    const [clustered, bytewise] = name === 'sqlite' ? [`${strict}, without rowid`, ''] : ['', ' collate "C"']
    const space = `space_number ${integer} not null references search_spaces (number) on delete cascade`
    return [
      `create table search_spaces (
        number ${numbered}, account_id ${text} not null, space_id ${text} not null, next_id ${integer} not null,
        passages ${integer} not null, length ${integer} not null,
        foreign key (account_id, space_id) references spaces (account_id, id) on delete cascade
      )${strict}`,
      `create unique index search_spaces_by_scope on search_spaces (account_id, space_id)`,
      `create table passages (
        ${space}, id ${integer} not null, entity_id ${text} not null, observation_id ${text} not null,
        position ${integer} not null, created_at ${integer} not null, length ${integer} not null, terms ${text} not null,
        primary key (space_number, id)
      )${clustered}`,
      `create index passages_by_entity on passages (space_number, entity_id, position)`,
      `create index passages_by_observation on passages (space_number, observation_id)`,
      `create table search_words (
        ${space}, word ${text}${bytewise} not null, term ${text} not null, id ${integer} not null,
        primary key (space_number, word)
      )${clustered}`,
      `create unique index search_words_by_id on search_words (space_number, id)`,
      ...postings.statements,
    ]
  },
}
