import { closeSync, openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Overwrites the first page of a table in a database file that no process has open. */
export function damageTable(file: string, table: string): void {
  const database = new DatabaseSync(file)
  const { page, bytes } = database
    .prepare(
      'select rootpage as page, page_size as bytes from sqlite_schema, pragma_page_size where name = ?',
    )
    .get(table) as { page: number; bytes: number }
  database.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, (page - 1) * bytes)
  closeSync(descriptor)
}

/** Overwrites the last `count` pages of a table in a database file that no process has open. */
export function damagePages(file: string, table: string, count: number): void {
  const database = new DatabaseSync(file)
  const pages = database
    .prepare('select pageno as page, pgsize as bytes from dbstat where name = ? order by pageno desc limit ?')
    .all(table, count) as { page: number; bytes: number }[]
  database.close()
  if (pages.length < count) throw new Error(`${table} has ${pages.length} pages only`)
  const descriptor = openSync(file, 'r+')
  for (const { page, bytes } of pages)
    writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, (page - 1) * bytes)
  closeSync(descriptor)
}
