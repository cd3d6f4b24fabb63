import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Db } from './db.ts'
import { nameStatement } from './named-statements.ts'
import { runCompiled } from './run-compiled.ts'

/**
 * Placeholder for a value while a query is built. Serialised as JSON, as lists are on SQLite, it becomes a unique
 * text.
 */
class StandIn {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  toJSON(): string {
    return `the value of ${this.name}`
  }
}

type ParameterOf<Values> = (values: Values) => unknown
type Prepared<Values, Output> = { compiled: CompiledQuery<Output>; parameters: ParameterOf<Values>[] }

/**
 * A query that is built once and run many times: building and compiling cost several times what the database needs to
 * find a row. `build` receives placeholders and must only pass them into the query. `more` is passed through
 * unchanged and must not vary between runs on the same database.
 */
export function prepared<Values extends object, Output, More extends unknown[]>(
  build: (db: Db, values: Values, ...more: More) => { compile(): CompiledQuery<Output> },
): (db: Db, values: Values, ...more: More) => Promise<Output[]> {
  const byDatabase = new WeakMap<object, Prepared<Values, Output>>()
  return (db, values, ...more) => {
    const { adapter } = db.getExecutor()
    let query = byDatabase.get(adapter)
    if (query === undefined) {
      query = prepare((standIns: Values) => build(db, standIns, ...more).compile())
      byDatabase.set(adapter, query)
      nameStatement(query.compiled.sql)
    }
    const parameters = query.parameters.map((parameterOf) => parameterOf(values))
    return runCompiled(db, query.compiled, parameters)
  }
}

/** A raw SQL statement for `prepared`. */
export const statement = <Output>(db: Db, query: RawBuilder<unknown>) => ({
  compile: (): CompiledQuery<Output> => (query as RawBuilder<Output>).compile(db),
})

function prepare<Values extends object, Output>(
  build: (standIns: Values) => CompiledQuery<Output>,
): Prepared<Values, Output> {
  const made = new Map<string, StandIn>()
  const standIns = new Proxy({} as Values, {
    get(_, name) {
      const standIn = new StandIn(String(name))
      made.set(standIn.name, standIn)
      return standIn
    },
  })
  const compiled = build(standIns)
  const byJson = new Map([...made.values()].map((standIn) => [JSON.stringify(standIn), standIn]))
  return { compiled, parameters: compiled.parameters.map(toParameter) }

  function toParameter(value: unknown): ParameterOf<Values> {
    if (value instanceof StandIn) return (values) => Reflect.get(values, value.name)
    const standIn = typeof value === 'string' ? byJson.get(value) : undefined
    if (standIn === undefined) return () => value
    return (values) => JSON.stringify(Reflect.get(values, standIn.name))
  }
}
