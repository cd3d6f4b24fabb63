import type { Migration } from '../migration.ts'

/**
 * What search stores: the words of all texts, and the postings of passages and of words. Passages are analysed again
 * when they are ranked. The first passage of an observation has the observation's number, an entity's names have the
 * entity's. Further passages, which have rows, and words take numbers from the same counter, so that one index holds
 * the terms of passages and the trigrams of words.
 */
export const search: Migration = {
  name: '104-search',
  statements: ({ name, sql: { integer, text, strict, clustered, ofSpace } }) => {
    const bytewise = name === 'sqlite' ? '' : ' collate "C"'
    return [
      `create table passages (
        ${ofSpace}, id ${integer} not null, observation_id ${integer} not null, part ${integer} not null,
        primary key (account_id, space_id, id)
      )${clustered}`,
      `create index passages_by_observation on passages (account_id, space_id, observation_id, part)`,
      `create table index_marks (
        ${ofSpace}, id ${integer} not null, ordinal ${integer} not null,
        primary key (account_id, space_id, id)
      )${clustered}`,
      `create table search_words (
        ${ofSpace}, word ${text}${bytewise} not null, term ${text} not null, id ${integer} not null,
        primary key (account_id, space_id, word)
      )${clustered}`,
      `create unique index search_words_by_id on search_words (account_id, id)`,
      ...(name === 'sqlite' ? sqlitePostings : postgresPostings),
      `create table embedders (
        number ${integer} primary key, identity ${text} not null unique, dimensions ${integer}, is_native ${integer} not null,
        failure ${text}, failed_at ${integer}
      )${strict}`,
      `create table vector_spaces (
        ${ofSpace}, embedder ${integer} not null, embedded_to ${integer} not null,
        primary key (account_id, space_id, embedder)
      )${clustered}`,
      `create table vector_gaps (
        ${ofSpace}, passage_id ${integer} not null,
        primary key (account_id, space_id, passage_id)
      )${clustered}`,
      `create table vectors (
        ${ofSpace}, passage_id ${integer} not null, embedder ${integer} not null, vector ${name === 'sqlite' ? 'blob' : 'bytea'},
        primary key (account_id, space_id, passage_id, embedder)
      )${strict}`,
    ]
  },
}

/** FTS5 merges a level by itself when it has this many segments; ours never do. */
const segmentsMax = 500
const bytesHeld = 512 * 1024

const sqlitePostings = [
  `create virtual table postings using fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_.:+#@-'"
  )`,
  // We merge in small steps: FTS5 would do it in the middle of an insertion, without a time limit.
  `insert into postings (postings, rank) values ('automerge', 0)`,
  `insert into postings (postings, rank) values ('crisismerge', ${segmentsMax})`,
  // Size of FTS5's in-memory buffer, which is written at once when full: some milliseconds.
  `insert into postings (postings, rank) values ('hashsize', ${bytesHeld})`,
  `create virtual table posted_terms using fts5vocab (postings, row)`,
]

const postgresPostings = [
  `create table postings (
    account_id bigint not null, space_id int not null, term text collate "C" not null, passage_id bigint not null,
    primary key (account_id, space_id, term, passage_id)
  )`,
  // Folded postings; SQLite needs none. A page keeps room for blocks that grow, which so stay out of the key's index.
  `create table posting_blocks (
    account_id bigint not null, space_id int not null, term text collate "C" not null, block int not null,
    ids bytea not null,
    primary key (account_id, space_id, term, block)
  ) with (fillfactor = 70)`,
  // Ids do not compress, and the end of an uncompressed value can be read alone.
  `alter table posting_blocks alter column ids set storage external`,
]
