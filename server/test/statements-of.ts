import { AsyncLocalStorage } from 'node:async_hooks'
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
export const statementsOf = (work: () => Promise<unknown>): Promise<string[]> => collect(work, () => true)

const working = new AsyncLocalStorage<symbol>()

/** Those that `work` runs itself, without those of jobs that run meanwhile, nor of a server that it calls. */
export function ownStatementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const here = Symbol()
  return working.run(here, () => collect(work, () => working.getStore() === here))
}

async function collect(work: () => Promise<unknown>, isCounted: () => boolean): Promise<string[]> {
  const statements: string[] = []
  const note = (statement: string) => {
    if (isCounted()) statements.push(statement)
  }
  const restore = ways.flatMap(([prototype, names]) => names.map((name) => listen(prototype, name, note)))
  try {
    await work()
    return statements
  } finally {
    for (const each of restore) each()
  }
}

function listen(prototype: object, name: string, note: (statement: string) => void): () => void {
  const original = Reflect.get(prototype, name) as Run
  Reflect.set(prototype, name, function (this: object, ...args: unknown[]) {
    note(this instanceof StatementSync ? this.sourceSQL : textOf(args[0]))
    return Reflect.apply(original, this, args)
  })
  return () => void Reflect.set(prototype, name, original)
}

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : String(Reflect.get(query as object, 'text'))
