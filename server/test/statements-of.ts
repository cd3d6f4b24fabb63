import { DatabaseSync, StatementSync } from 'node:sqlite'
import pg from 'pg'

/** Every way in which the server runs a statement on either database. */
const ways: [object, string[]][] = [
  [StatementSync.prototype, ['run', 'all', 'get', 'iterate']],
  [DatabaseSync.prototype, ['exec']],
  [pg.Client.prototype, ['query']],
]
type Run = (this: object, ...args: unknown[]) => unknown

/** The statements that this process runs until `work` has ended, `begin` and `commit` among them. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const restore = ways.flatMap(([prototype, names]) =>
    names.map((name) => listen(prototype, name, statements)),
  )
  try {
    await work()
    return statements
  } finally {
    for (const each of restore) each()
  }
}

function listen(prototype: object, name: string, statements: string[]): () => void {
  const original = Reflect.get(prototype, name) as Run
  Reflect.set(prototype, name, function (this: object, ...args: unknown[]) {
    statements.push(this instanceof StatementSync ? this.sourceSQL : textOf(args[0]))
    return Reflect.apply(original, this, args)
  })
  return () => void Reflect.set(prototype, name, original)
}

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : String(Reflect.get(query as object, 'text'))
