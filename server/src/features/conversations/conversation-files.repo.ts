import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { foldAscii } from './turns.repo.ts'

/** A file that a conversation named. */
type File = { conversationId: number; path: string }

const filesMax = 5_000

/** The newest conversations that named a file of this name, with its paths. */
export async function listFilesNamed(db: Db, scope: Scope, name: string): Promise<File[]> {
  return db
    .selectFrom('conversation_files')
    .select(['conversation_id as conversationId', 'path'])
    .where(isIn(scope))
    .where('name', '=', name)
    .orderBy('conversation_id', 'desc')
    .limit(filesMax)
    .execute()
}

/** Adds files of a conversation; those that are there already stay. */
export async function addFiles(
  db: Db,
  { accountId, spaceId }: Scope,
  conversationId: number,
  files: readonly { path: string; name: string }[],
): Promise<void> {
  if (files.length === 0) return
  const keys = { account_id: accountId, space_id: spaceId, conversation_id: conversationId }
  const rows = files.map(({ path, name }) => ({ ...keys, path, name }))
  await sql`insert into conversation_files (account_id, space_id, conversation_id, path, name)
    select account_id, space_id, conversation_id, path, name from ${dialectOf(db).rowsOf('source', rows)} where true
    on conflict do nothing`.execute(db)
}

/** The files of some conversations whose paths contain one of these texts, in any case of ASCII letters. */
export async function listFilesContaining(
  db: Db,
  scope: Scope,
  { after, upTo, texts }: { after: number; upTo: number; texts: readonly string[] },
): Promise<File[]> {
  const folded = [...new Set(texts.map(foldAscii))]
  return db
    .selectFrom('conversation_files')
    .select(['conversation_id as conversationId', 'path'])
    .where(isIn(scope))
    .where('conversation_id', '>', after)
    .where('conversation_id', '<=', upTo)
    .where((eb) => eb.or(folded.map((text) => dialectOf(db).hasPart('path', text))))
    .execute()
}

/** Conversations are found by these files no more. */
export async function deleteFiles(db: Db, scope: Scope, files: readonly File[]): Promise<void> {
  for (const { conversationId, path } of files)
    await db
      .deleteFrom('conversation_files')
      .where(isIn(scope))
      .where('conversation_id', '=', conversationId)
      .where('path', '=', path)
      .execute()
}
