import type { Dialect } from '../dialect.ts'

/** Storage of folded postings on PostgreSQL; SQLite needs none. */
export const postingBlocks = {
  name: '005-posting-blocks',
  statements: ({ name }: Dialect): readonly string[] => (name === 'sqlite' ? [] : blocks),
}

const blocks = [
  `create table posting_blocks (
    account_id bigint not null, space_id int not null, term text collate "C" not null, block int not null,
    ids bytea not null,
    primary key (account_id, space_id, term, block)
  )`,
  // Ids do not compress, and the end of an uncompressed value can be read alone.
  `alter table posting_blocks alter column ids set storage external`,
]
